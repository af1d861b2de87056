/* Ed25519 (RFC 8032, sections 5.1.5 to 5.1.7). */

#include "ed25519.h"

#include "ge25519.h"
#include "sha512.h"
#include "wiping.h"

enum { DIGEST_BYTES = 64, HALF = DIGEST_BYTES / 2 };

/* The secret scalar, and the digest of the secret, whose second half is the prefix for the nonce. */
static void expand(SC25519 scalar, uint8_t digest[DIGEST_BYTES], const uint8_t *secret)
{
    SHA512 hash;
    sha512_init(&hash);
    sha512_update(&hash, secret, ED25519_SECRET_BYTES);
    sha512_final(&hash, digest);
    digest[0] &= 0xf8;
    digest[HALF - 1] = (uint8_t)((digest[HALF - 1] & 0x3f) | 0x40);
    sc25519_load(scalar, digest);
}

/* The digest of one or two parts of 32 bytes and a message, modulo L; `first` may be NULL. */
static void hash_to_scalar(SC25519 scalar, const uint8_t *first, const uint8_t *second,
                           const uint8_t *message, size_t size)
{
    SHA512  hash;
    uint8_t digest[DIGEST_BYTES];
    sha512_init(&hash);
    if (first != NULL) {
        sha512_update(&hash, first, HALF);
    }
    sha512_update(&hash, second, HALF);
    sha512_update(&hash, message, size);
    sha512_final(&hash, digest);
    sc25519_reduce(scalar, digest);
    wipe(digest, sizeof digest);
}

static void multiply_base(uint8_t bytes[HALF], const SC25519 scalar)
{
    GE25519 point;
    wipe_stack(ge25519_multiply_base(&point, scalar));
    wipe_stack(ge25519_encode(bytes, &point));
    wipe(&point, sizeof point);
}

void ed25519_public(const uint8_t secret[ED25519_SECRET_BYTES], uint8_t public[ED25519_PUBLIC_BYTES])
{
    SC25519 scalar;
    uint8_t digest[DIGEST_BYTES];
    expand(scalar, digest, secret);
    multiply_base(public, scalar);
    wipe(digest, sizeof digest);
    wipe(scalar, sizeof scalar);
    wipe_registers();
}

void ed25519_sign(const uint8_t secret[ED25519_SECRET_BYTES], const uint8_t *message, size_t size,
                  uint8_t signature[ED25519_SIGNATURE_BYTES])
{
    SC25519 scalar, nonce, challenge;
    uint8_t digest[DIGEST_BYTES], public[ED25519_PUBLIC_BYTES];
    expand(scalar, digest, secret);
    multiply_base(public, scalar);
    hash_to_scalar(nonce, NULL, digest + HALF, message, size);
    multiply_base(signature, nonce);
    hash_to_scalar(challenge, signature, public, message, size);
    sc25519_multiply_add(challenge, scalar, challenge, nonce);
    sc25519_store(signature + HALF, challenge);
    wipe(digest, sizeof digest);
    wipe(scalar, sizeof scalar);
    wipe(nonce, sizeof nonce);
    wipe_registers();
}

int ed25519_verify(const uint8_t public[ED25519_PUBLIC_BYTES], const uint8_t *message, size_t size,
                   const uint8_t signature[ED25519_SIGNATURE_BYTES])
{
    SC25519  challenge, sum;
    GE25519  point, result;
    uint8_t  bytes[HALF];
    unsigned different = 0;
    sc25519_load(sum, signature + HALF);
    if (!sc25519_is_reduced(sum) || ge25519_decode_negative(&point, public) != 0) {
        return -1;
    }
    hash_to_scalar(challenge, signature, public, message, size);
    ge25519_multiply_both(&result, challenge, &point, sum);
    (void)ge25519_encode(bytes, &result);
    for (unsigned i = 0; i < HALF; i++) {
        different |= bytes[i] ^ signature[i];
    }
    return different == 0 ? 0 : -1;
}
