/* OAEP with SHA-256, and MGF1 with SHA-256 (RFC 8017, sections 7.1 and B.2.1).
 *
 * A block is a byte of 0, the seed, and DB: the label's digest, zeros, a byte of 1 and the message. */

#include "bytes.h"
#include "rsa.h"
#include "rsa_sha256.h"
#include "wiping.h"

enum {
    SEED     = 1,                       /* offset of the seed */
    DB       = SEED + RSA_DIGEST_BYTES, /* offset of DB */
    OVERHEAD = DB + RSA_DIGEST_BYTES + 1
};

#if RSA_BITS >= 8 * 66

/* Stack of SHA-256 and its callers. */
STACK_ROOM(room_oaep, 704)

/* target ^= MGF1(seed) */
static void mask(uint8_t *target, size_t size, const uint8_t *seed, size_t seed_size)
{
    uint8_t digest[RSA_DIGEST_BYTES];
    for (size_t i = 0; i < size; i++) {
        size_t at = i % RSA_DIGEST_BYTES;
        if (at == 0) {
            RSA(sha256)(seed, seed_size, (uint32_t)(i / RSA_DIGEST_BYTES), 4, digest);
        }
        target[i] ^= digest[at];
    }
    wipe(digest, sizeof digest);
}

int RSA(encrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t seed[RSA_DIGEST_BYTES], const uint8_t *label, size_t label_size,
                      const uint8_t *message, size_t size, uint8_t result[RSA_BYTES])
{
    uint8_t block[RSA_BYTES] = {0};
    if (size > RSA_BYTES - OVERHEAD) {
        return -1;
    }
    for (size_t i = 0; i < RSA_DIGEST_BYTES; i++) {
        block[SEED + i] = seed[i];
    }
    RSA(sha256)(label, label_size, 0, 0, block + DB);
    block[RSA_BYTES - size - 1] = 1;
    for (size_t i = 0; i < size; i++) {
        block[RSA_BYTES - size + i] = message[i];
    }
    mask(block + DB, RSA_BYTES - DB, block + SEED, RSA_DIGEST_BYTES);
    mask(block + SEED, RSA_DIGEST_BYTES, block + DB, RSA_BYTES - DB);
    int refused = RSA(public)(n, e, block, result);
    wipe(block, sizeof block);
    wipe_below(room_oaep());
    return refused;
}

/* The offset of the message, or 0 if the block is invalid. All bytes are checked in constant time, because an attacker
 * who learns which check fails can decrypt (Manger, 2001). */
static uint32_t start_of(const uint8_t block[RSA_BYTES], const uint8_t digest[RSA_DIGEST_BYTES])
{
    uint32_t wrong = block[0], start = 0;
    for (uint32_t i = 0; i < RSA_DIGEST_BYTES; i++) {
        wrong |= (uint32_t)(block[DB + i] ^ digest[i]);
    }
    for (uint32_t i = DB + RSA_DIGEST_BYTES; i < RSA_BYTES; i++) {
        uint32_t before = (start - 1) >> 31;
        uint32_t is_one = ((uint32_t)(block[i] ^ 1) - 1) >> 31;
        start |= (i + 1) & (0u - (before & is_one));
        wrong |= block[i] & (0u - before) & ~1u;
    }
    wrong |= (start - 1) >> 31;
    return start & (0u - ((wrong - 1) >> 31));
}

int RSA(decrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t cipher[RSA_BYTES],
                      const uint8_t *label, size_t label_size, uint8_t *result, size_t *size)
{
    uint8_t block[RSA_BYTES], digest[RSA_DIGEST_BYTES];
    if (RSA(private)(n, d, cipher, block)) {
        return -1;
    }
    mask(block + SEED, RSA_DIGEST_BYTES, block + DB, RSA_BYTES - DB);
    mask(block + DB, RSA_BYTES - DB, block + SEED, RSA_DIGEST_BYTES);
    RSA(sha256)(label, label_size, 0, 0, digest);
    /* Whether the block is valid, and the length of its message, are public. */
    uint32_t start = revealed(start_of(block, digest));
    if (start > 0) {
        *size = RSA_BYTES - start;
        for (size_t i = 0; i < *size; i++) {
            result[i] = block[start + i];
        }
    }
    wipe(block, sizeof block);
    wipe_below(room_oaep());
    return start > 0 ? 0 : -1;
}

#else

int RSA(encrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t seed[RSA_DIGEST_BYTES], const uint8_t *label, size_t label_size,
                      const uint8_t *message, size_t size, uint8_t result[RSA_BYTES])
{
    (void)n, (void)e, (void)seed, (void)label, (void)label_size, (void)message, (void)size, (void)result;
    return -1;
}

int RSA(decrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t cipher[RSA_BYTES],
                      const uint8_t *label, size_t label_size, uint8_t *result, size_t *size)
{
    (void)n, (void)d, (void)cipher, (void)label, (void)label_size, (void)result, (void)size;
    return -1;
}

#endif
