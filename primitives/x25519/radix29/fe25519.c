/* The field GF(2^255 - 19) in limbs of 29 bits: all operations except products and powers. */

#include "fe25519.h"

#include "columns.h"

enum { HIGHEST = FE25519_WORDS - 1 };

void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b)
{
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        r[i] = a[i] + b[i];
    }
}

void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b)
{
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        r[i] = a[i] - b[i];
    }
}

/* The limbs are from 0 to 2^29, which is enough for a result that is only used as a factor. */
void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < HIGHEST; i++) {
        sum += PRODUCT(b[i], small) + (int32_t)a[i];
        r[i] = (uint32_t)sum & LIMB;
        sum >>= FE25519_BITS;
    }
    sum += PRODUCT(b[HIGHEST], small) + (int32_t)a[HIGHEST];
    r[HIGHEST] = (uint32_t)sum & FE25519_TOP;
    carry_top(r, sum >> FE25519_TOP_BITS);
}

void fe25519_select(FE25519 r, const FE25519 a, uint32_t mask)
{
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        r[i] ^= (r[i] ^ a[i]) & mask;
    }
}

/* Limb i begins in word i - 1, whose highest 3 * i bits are its lowest. */
void fe25519_load(FE25519 r, const uint8_t bytes[FE25519_BYTES])
{
    uint32_t before = 0;
    for (unsigned i = 0; i < HIGHEST; i++) {
        uint32_t word = load32_le(bytes + 4 * i);
        r[i]          = (uint32_t)(((uint64_t)word << 32 | before) >> (32 - 3 * i)) & LIMB;
        before        = word;
    }
    r[HIGHEST] = before >> 8;
}

/* Adds a number, and propagates it and the excess of all limbs up to the highest one. */
static void carry(FE25519 a, uint32_t number)
{
    for (unsigned i = 0; i < HIGHEST; i++) {
        number += a[i];
        a[i]   = number & LIMB;
        number = (uint32_t)((int32_t)number >> FE25519_BITS);
    }
    a[HIGHEST] += number;
}

/* Removes the bits from 2^255 on; returns the number to add for them. */
static uint32_t cut(FE25519 a)
{
    uint32_t quotient = (uint32_t)((int32_t)a[HIGHEST] >> FE25519_TOP_BITS);
    a[HIGHEST] &= FE25519_TOP;
    return quotient * 19;
}

/* A product is between -2^254 and 2^254, or slightly beyond: adding the prime makes it positive. Then x + 19 reaches
 * 2^255 if the prime must be subtracted. */
void fe25519_store(uint8_t bytes[FE25519_BYTES], FE25519 a)
{
    carry(a, 0);
    carry(a, cut(a));
    carry(a, 19);
    carry(a, cut(a) - 19);
    for (unsigned i = 0; i < HIGHEST; i++) {
        store32_le(bytes + 4 * i, (uint32_t)(((uint64_t)a[i + 1] << FE25519_BITS | a[i]) >> (3 * i)));
    }
}
