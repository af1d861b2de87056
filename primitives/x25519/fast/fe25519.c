/* The field of 2^255 - 19 elements: all but multiplication and squaring. */

#include "fe25519.h"

enum { TOP = FE25519_WORDS - 1 };

/* Multiples of 2^255 are taken off the highest words first, as 19 each, so that one carry is enough. What is
 * left is below 2^255 and two more at the highest word. */
void fe25519_add(FE25519 r, const FE25519 a, const FE25519 b)
{
    uint32_t quotient = ((a[TOP] >> 1) + (b[TOP] >> 1)) >> 30;
    uint32_t top      = a[TOP] + b[TOP] - (quotient << 31);
    uint64_t sum      = (uint64_t)quotient * 19;
    for (unsigned i = 0; i < TOP; i++) {
        sum += (uint64_t)a[i] + b[i];
        r[i] = (uint32_t)sum;
        sum >>= 32;
    }
    r[TOP] = top + (uint32_t)sum;
}

/* As for addition, but 2^255 stays there, so that the result is not negative. */
void fe25519_subtract(FE25519 r, const FE25519 a, const FE25519 b)
{
    uint32_t missing = 3 - (((a[TOP] >> 1) - (b[TOP] >> 1) + 0x80000000) >> 30);
    uint32_t top     = a[TOP] - b[TOP] + (missing << 31);
    uint32_t borrow  = missing * 19;
    for (unsigned i = 0; i < TOP; i++) {
        uint32_t word = a[i], rest = word - borrow, other = b[i];
        borrow = (uint32_t)(word < borrow) + (uint32_t)(rest < other);
        r[i]   = rest - other;
    }
    r[TOP] = top - borrow;
}

void fe25519_add_multiple(FE25519 r, const FE25519 a, const FE25519 b, uint32_t small)
{
    uint32_t t[FE25519_WORDS];
    uint64_t sum = 0;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        sum = (uint64_t)b[i] * small + a[i] + (sum >> 32);
        t[i] = (uint32_t)sum;
    }
    sum = ((sum >> 32 << 1) + (t[TOP] >> 31)) * 19;
    t[TOP] &= 0x7fffffff;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        sum += t[i];
        r[i] = (uint32_t)sum;
        sum >>= 32;
    }
}

void fe25519_square_often(FE25519 r, const FE25519 a, unsigned times)
{
    fe25519_square(r, a);
    while (--times > 0) {
        fe25519_square(r, r);
    }
}

/* r = a to the power of 2^250 - 1, and the first of the room a to the power of 11. */
static void power_ones(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM])
{
    uint32_t *b = room[1], *c = room[2];
    fe25519_square(b, a);
    fe25519_square_often(c, b, 2);
    fe25519_multiply(c, c, a);
    fe25519_multiply(room[0], c, b);
    fe25519_square(b, room[0]);
    fe25519_multiply(b, b, c); /* 2^5 - 1 */
    fe25519_square_often(c, b, 5);
    fe25519_multiply(r, c, b); /* 2^10 - 1 */
    fe25519_square_often(c, r, 10);
    fe25519_multiply(b, c, r); /* 2^20 - 1 */
    fe25519_square_often(c, b, 20);
    fe25519_multiply(c, c, b); /* 2^40 - 1 */
    fe25519_square_often(c, c, 10);
    fe25519_multiply(r, c, r); /* 2^50 - 1 */
    fe25519_square_often(c, r, 50);
    fe25519_multiply(b, c, r); /* 2^100 - 1 */
    fe25519_square_often(c, b, 100);
    fe25519_multiply(c, c, b); /* 2^200 - 1 */
    fe25519_square_often(c, c, 50);
    fe25519_multiply(r, c, r);
}

void fe25519_power(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM])
{
    power_ones(r, a, room);
    fe25519_square_often(r, r, 2);
    fe25519_multiply(r, r, a);
}

void fe25519_invert(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM])
{
    power_ones(r, a, room);
    fe25519_square_often(r, r, 5);
    fe25519_multiply(r, r, room[0]);
}

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

/* Takes off the prime as often as the bits from 2^255 on say, if 19 are added. */
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
    /* Twice, since an element may be too great by two primes. */
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
