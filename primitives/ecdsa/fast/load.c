/* Numbers and points: conversion from and to bytes, range checks, marking as public, wiping. */

#include "bytes.h"
#include "fast.h"

void number_load(NUMBER *z, const uint8_t *bytes)
{
    ROLLED
    for (unsigned i = WORDS; i-- > 0; bytes += 4) {
        z->w[i] = load32_be(bytes);
    }
}

void digest_load(NUMBER *z, const uint8_t *digest, size_t size)
{
    size_t used = size < ECDSA_BYTES ? size : ECDSA_BYTES;
    *z          = (NUMBER){{0}};
    ROLLED
    for (size_t i = 0; i < used; i++) {
        z->w[i / 4] |= (uint32_t)digest[used - 1 - i] << 8 * (i % 4);
    }
}

void number_store(uint8_t *bytes, const NUMBER *z)
{
    ROLLED
    for (unsigned i = WORDS; i-- > 0; bytes += 4) {
        store32_be(bytes, z->w[i]);
    }
}

void number_reveal(NUMBER *z)
{
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        z->w[i] = revealed(z->w[i]);
    }
}

void point_forget(JACOBIAN *p)
{
    wipe(p, sizeof *p);
}

int number_is_below(const NUMBER *a, const NUMBER *m)
{
    NUMBER less;
    int    below = number_subtract(&less, a, m) != 0;
    wipe(&less, sizeof less);
    return below;
}

/* Refusing a scalar makes public that it is out of range. */
int scalar_load(NUMBER *z, const uint8_t *bytes)
{
    number_load(z, bytes);
    return (int)revealed((uint32_t)(number_is_below(z, &curve.n.m) & !number_is_zero(z)));
}

/* Loads a coordinate; returns true if it is below p. */
static int load_coordinate(NUMBER *z, const uint8_t *bytes)
{
    number_load(z, bytes);
    int below = number_is_below(z, &curve.p.m);
    field_to_montgomery(z, z);
    return below;
}

int point_load(AFFINE *p, const uint8_t *bytes)
{
    return load_coordinate(&p->x, bytes) && load_coordinate(&p->y, bytes + ECDSA_BYTES) && point_is_valid(p);
}
