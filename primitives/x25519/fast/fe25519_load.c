/* Elements of GF(2^255 - 19): load, store, conditional move and swap, comparison. */

#include "fe25519.h"

enum { TOP = FE25519_WORDS - 1 };

void fe25519_select(FE25519 r, const FE25519 a, uint32_t mask)
{
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        r[i] ^= (r[i] ^ a[i]) & mask;
    }
}

void fe25519_swap(FE25519 a, FE25519 b, uint32_t mask)
{
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        uint32_t both = (a[i] ^ b[i]) & mask;
        a[i] ^= both;
        b[i] ^= both;
    }
}

void fe25519_load(FE25519 r, const uint8_t bytes[FE25519_BYTES])
{
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        r[i] = load32_le(bytes + 4 * i);
    }
}

/* Subtracts the prime as many times as the bits from 2^255 on say after an addition of 19. */
static void reduce(FE25519 a)
{
    uint64_t sum = 19;
    for (unsigned i = 0; i < TOP; i++) {
        sum = (sum + a[i]) >> 32;
    }
    sum = ((sum + a[TOP]) >> 31) * 19;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        sum += a[i];
        a[i] = (uint32_t)sum;
        sum >>= 32;
    }
    a[TOP] &= 0x7fffffff;
}

int fe25519_is_zero(FE25519 a)
{
    uint32_t bits = 0;
    /* Twice, since an element may exceed the reduced range by two primes. */
    reduce(a);
    reduce(a);
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        bits |= a[i];
    }
    return bits == 0;
}

int fe25519_load_reduced(FE25519 r, const uint8_t bytes[FE25519_BYTES])
{
    uint32_t bits = 0;
    FE25519  was;
    fe25519_load(r, bytes);
    r[TOP] &= 0x7fffffff;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        was[i] = r[i];
    }
    reduce(r);
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        bits |= was[i] ^ r[i];
    }
    return bits == 0 ? 0 : -1;
}

void fe25519_store(uint8_t bytes[FE25519_BYTES], FE25519 a)
{
    reduce(a);
    reduce(a);
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        store32_le(bytes + 4 * i, a[i]);
    }
}
