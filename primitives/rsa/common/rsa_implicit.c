/* Decryption of PKCS #1 v1.5 with implicit rejection (draft-irtf-cfrg-rsa-guidance, section 7): a wrong padding gives a
 * message, too, derived from key and ciphertext. Neither time nor addresses reveal which of the two it is. */

#include "bytes.h"
#include "rsa_pkcs1.h"
#include "rsa_sha256.h"
#include "wiping.h"

enum {
    DIGEST     = RSA_DIGEST_BYTES,
    ROOM       = RSA_BYTES - OVERHEAD, /* maximum length of a message */
    CANDIDATES = 128,                  /* candidates for the length of a synthetic message */
    PAD        = 64                    /* a block of SHA-256 */
};

/* Stack of HMAC and its callers. */
STACK_ROOM(room_implicit, RSA_BYTES + 832)

/* tag = HMAC-SHA-256(key, message) (RFC 2104), for messages that are no longer than a ciphertext. */
static void hmac(uint8_t tag[DIGEST], const uint8_t key[DIGEST], const uint8_t *message, size_t size)
{
    uint8_t text[PAD + RSA_BYTES];
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < PAD; i++) {
            text[i] = (uint8_t)((i < DIGEST ? key[i] : 0) ^ (pass ? 0x5c : 0x36));
        }
        for (size_t i = 0; i < size; i++) {
            text[PAD + i] = message[i];
        }
        RSA(sha256)(text, PAD + size, 0, 0, tag);
        message = tag;
        size    = DIGEST;
    }
    wipe(text, sizeof text);
}

/* The key of the synthetic message: HMAC of the ciphertext, with the digest of the private exponent as its key. */
static void derive(uint8_t key[DIGEST], const uint8_t d[RSA_BYTES], const uint8_t cipher[RSA_BYTES])
{
    uint8_t digest[DIGEST];
    RSA(sha256)(d, RSA_BYTES, 0, 0, digest);
    hmac(key, digest, cipher, RSA_BYTES);
    wipe(digest, sizeof digest);
}

/* A part, as long as a digest, of the bytes from a key and a label: HMAC of the part's number, the label and the total
 * number of bits. */
static void expand(uint8_t part[DIGEST], const uint8_t key[DIGEST], unsigned number, const char *label, size_t bytes)
{
    uint8_t text[12] = {(uint8_t)(number >> 8), (uint8_t)number};
    size_t  size     = 2;
    for (; *label; label++) {
        text[size++] = (uint8_t)*label;
    }
    text[size++] = (uint8_t)(8 * bytes >> 8);
    text[size++] = (uint8_t)(8 * bytes);
    hmac(part, key, text, size);
}

/* The length of the synthetic message: the last candidate below the limit. */
static uint32_t made_length(const uint8_t key[DIGEST])
{
    uint8_t  part[DIGEST];
    uint32_t limit = ROOM + 1, mask = limit, length = 0;
    for (unsigned shift = 1; shift < 16; shift *= 2) {
        mask |= mask >> shift;
    }
    for (unsigned i = 0; i < CANDIDATES; i++) {
        unsigned at = 2 * i % DIGEST;
        if (at == 0) {
            expand(part, key, 2 * i / DIGEST, "length", 2 * CANDIDATES);
        }
        uint32_t candidate = ((uint32_t)part[at] << 8 | part[at + 1]) & mask;
        /* `volatile` hides the origin of the mask, so that compilers do not branch on it. */
        volatile uint32_t is_good = 0u - ((candidate - limit) >> 31);
        length ^= (length ^ candidate) & is_good;
    }
    wipe(part, sizeof part);
    return length;
}

/* block = a synthetic message, as long as the block, if mask is ~0. */
static void make_up(uint8_t block[RSA_BYTES], const uint8_t key[DIGEST], uint32_t mask)
{
    uint8_t part[DIGEST];
    for (unsigned i = 0; i < RSA_BYTES; i++) {
        if (i % DIGEST == 0) {
            expand(part, key, i / DIGEST, "message", RSA_BYTES);
        }
        block[i] = (uint8_t)((block[i] & ~mask) | (part[i % DIGEST] & mask));
    }
    wipe(part, sizeof part);
}

/* Moves the bytes from `start` on to the front, by each power of 2 in turn, with a conditional copy; zeros follow. */
static void move(uint8_t block[RSA_BYTES], uint32_t start)
{
    for (uint32_t places = 1; places < RSA_BYTES; places *= 2) {
        uint32_t mask = 0u - opaque(start & 1);
        for (uint32_t i = 0; i < RSA_BYTES; i++) {
            uint8_t from = i + places < RSA_BYTES ? block[i + places] : 0;
            block[i]     = (uint8_t)((block[i] & ~mask) | (from & mask));
        }
        start >>= 1;
    }
}

int RSA(decrypt_pkcs1_implicit)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                                const uint8_t cipher[RSA_BYTES], uint8_t result[RSA_BYTES - 11], size_t *size)
{
    uint8_t block[RSA_BYTES], key[DIGEST];
    if (RSA(private)(n, d, cipher, block)) {
        return -1;
    }
    derive(key, d, cipher);
    uint32_t start = RSA(start_of)(block);
    uint32_t wrong = opaque(start - 1) >> 31;
    make_up(block, key, 0u - opaque(wrong));
    start |= (RSA_BYTES - made_length(key)) & (0u - opaque(wrong));
    /* An empty message begins at the end of the block, where start is RSA_BYTES. */
    *size = RSA_BYTES - start;
    move(block, start & (RSA_BYTES - 1));
    uint32_t keep = 0u - opaque(is_less(start, RSA_BYTES));
    for (size_t i = 0; i < ROOM; i++) {
        result[i] = (uint8_t)(block[i] & keep);
    }
    wipe(block, sizeof block);
    wipe(key, sizeof key);
    wipe_below(room_implicit());
    return 0;
}
