/* PyCryptodome's ladder on Curve25519, from bytes to bytes; the seed of its blinding is always the same. */

#include "curve25519.c"

static void multiply(const uint8_t secret[32], const uint8_t peer[32], uint8_t result[32])
{
    Point   point = {.Z = {1}}, product;
    uint8_t scalar[32], reduced[32];

    for (unsigned index = 0; index < 32; index++)
        scalar[index] = secret[31 - index];
    scalar[31] &= 0xf8;
    scalar[0] = (scalar[0] & 0x7f) | 0x40;
    memcpy(reduced, peer, sizeof reduced);
    reduced[31] &= 0x7f;
    convert_le8_to_le25p5(point.X, reduced);
    curve25519_scalar_internal(&product, scalar, sizeof scalar, &point, 1);
    convert_le25p5_to_le8(result, product.X);
}

void x25519_public(const uint8_t secret[32], uint8_t public[32])
{
    static const uint8_t base[32] = {9};

    multiply(secret, base, public);
}

int x25519_shared(const uint8_t secret[32], const uint8_t peer[32], uint8_t shared[32])
{
    uint8_t all = 0;

    multiply(secret, peer, shared);
    for (unsigned index = 0; index < 32; index++)
        all |= shared[index];
    return all ? 0 : -1;
}
