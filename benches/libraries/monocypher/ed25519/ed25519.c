/* Ed25519 by Monocypher's functions on scalars and points (RFC 8032, section 5.1). */

#include "monocypher.h"
#include "tomcrypt.h"

/* The hash of two or three parts as a scalar. */
static void hashed(uint8_t scalar[32], const uint8_t first[32], const uint8_t *second, const uint8_t *message,
                   size_t size)
{
    hash_state state;
    uint8_t    digest[64];

    sha512_init(&state);
    sha512_process(&state, first, 32);
    if (second)
        sha512_process(&state, second, 32);
    sha512_process(&state, message, size);
    sha512_done(&state, digest);
    crypto_eddsa_reduce(scalar, digest);
}

/* The secret scalar, and the prefix behind it. */
static void expand(uint8_t both[64], const uint8_t secret[32])
{
    hash_state state;

    sha512_init(&state);
    sha512_process(&state, secret, 32);
    sha512_done(&state, both);
    crypto_eddsa_trim_scalar(both, both);
}

void ed25519_public(const uint8_t secret[32], uint8_t public[32])
{
    uint8_t both[64];

    expand(both, secret);
    crypto_eddsa_scalarbase(public, both);
    crypto_wipe(both, sizeof both);
}

void ed25519_sign(const uint8_t secret[32], const uint8_t *message, size_t size, uint8_t signature[64])
{
    uint8_t both[64], public[32], nonce[32], challenge[32];

    expand(both, secret);
    crypto_eddsa_scalarbase(public, both);
    hashed(nonce, both + 32, NULL, message, size);
    crypto_eddsa_scalarbase(signature, nonce);
    hashed(challenge, signature, public, message, size);
    crypto_eddsa_mul_add(signature + 32, challenge, both, nonce);
    crypto_wipe(both, sizeof both);
    crypto_wipe(nonce, sizeof nonce);
}

int ed25519_verify(const uint8_t public[32], const uint8_t *message, size_t size, const uint8_t signature[64])
{
    uint8_t challenge[32];

    hashed(challenge, signature, public, message, size);
    return crypto_eddsa_check_equation(signature, public, challenge);
}
