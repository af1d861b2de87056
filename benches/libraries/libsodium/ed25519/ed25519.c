/* libsodium's Ed25519, whose secret key has the public one behind the seed. */

#include "crypto_sign_ed25519.h"

void ed25519_public(const unsigned char secret[32], unsigned char public[32])
{
    unsigned char both[64];

    crypto_sign_ed25519_seed_keypair(public, both, secret);
}

void ed25519_sign(const unsigned char secret[32], const unsigned char *message, size_t size,
                  unsigned char signature[64])
{
    unsigned char public[32], both[64];

    crypto_sign_ed25519_seed_keypair(public, both, secret);
    crypto_sign_ed25519_detached(signature, NULL, message, size, both);
}

int ed25519_verify(const unsigned char public[32], const unsigned char *message, size_t size,
                   const unsigned char signature[64])
{
    return crypto_sign_ed25519_verify_detached(signature, message, size, public);
}
