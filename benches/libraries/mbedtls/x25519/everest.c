/* X25519 by the code of Project Everest in mbedTLS. */

#include <stdint.h>

/* Its header wants products of 128 bits, which the code does without. */
void Hacl_Curve25519_crypto_scalarmult(uint8_t *result, uint8_t *secret, uint8_t *point);

void x25519_public(uint8_t secret[32], uint8_t public[32])
{
    uint8_t base[32] = {9};

    Hacl_Curve25519_crypto_scalarmult(public, secret, base);
}

int x25519_shared(uint8_t secret[32], uint8_t peer[32], uint8_t shared[32])
{
    uint8_t all = 0;

    Hacl_Curve25519_crypto_scalarmult(shared, secret, peer);
    for (unsigned index = 0; index < 32; index++)
        all |= shared[index];
    return all ? 0 : -1;
}
