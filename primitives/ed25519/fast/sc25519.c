/* Numbers modulo the order of Ed25519's base point, with Montgomery multiplication. */

#include "sc25519.h"
#include "wiping.h"

static const SC25519 order = {0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000};

/* -1 / L modulo 2^32. */
#define INVERSE 0x12547e1bu

/* 2^256 and 2^512, modulo L. */
static const SC25519 power  = {0x8d98951d, 0xd6ec3174, 0x737dcf70, 0xc6ef5bf4,
                               0xfffffffe, 0xffffffff, 0xffffffff, 0x0fffffff};
static const SC25519 square = {0x449c0f01, 0xa40611e3, 0x68859347, 0xd00e1ba7,
                               0x17f5be65, 0xceec73d2, 0x7c309a3d, 0x0399411b};

/* r = a + b if `mask` is all ones, or a if it is 0. */
static void add(SC25519 r, const SC25519 a, const SC25519 b, uint32_t mask)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < SC25519_WORDS; i++) {
        sum += (uint64_t)a[i] + (b[i] & mask);
        r[i] = (uint32_t)sum;
        sum = opaque((uint32_t)(sum >> 32));
    }
}

/* r = a - L; returns 1 if that is negative. */
static uint32_t subtract_order(SC25519 r, const SC25519 a)
{
    uint32_t borrow = 0;
    for (unsigned i = 0; i < SC25519_WORDS; i++) {
        uint64_t difference = (uint64_t)a[i] - order[i] - borrow;
        r[i]                = (uint32_t)difference;
        borrow              = (uint32_t)(difference >> 32) & 1;
    }
    return borrow;
}

/* Conditional subtraction: reduces r from below 2 L to below L. */
static NOINLINE uintptr_t finish(SC25519 r)
{
    add(r, r, order, opaque(-subtract_order(r, r)));
    return stack_depth();
}

/* t += factor * a; returns the carry. */
static uint32_t add_row(uint32_t *t, const uint32_t *a, uint32_t factor)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < SC25519_WORDS; i++) {
        sum += (uint64_t)a[i] * factor + t[i];
        t[i] = (uint32_t)sum;
        sum >>= 32;
    }
    return (uint32_t)sum;
}

/* r = a * b / 2^256 modulo L, below L, for b below L. Returns its stack depth. */
static NOINLINE uintptr_t multiply(SC25519 r, const SC25519 a, const SC25519 b)
{
    uint32_t t[2 * SC25519_WORDS] = {0};
    for (unsigned i = 0; i < SC25519_WORDS; i++) {
        /* The accumulator is below 2 L, so that there is no carry out of the nine words. */
        t[SC25519_WORDS + i] += add_row(t + i, b, a[i]);
        t[SC25519_WORDS + i] += add_row(t + i, order, t[i] * INVERSE);
    }
    add(r, t + SC25519_WORDS, order, 0);
    uintptr_t depth = finish(r);
    wipe(t, sizeof t);
    return no_tail_call(depth);
}

void sc25519_load(SC25519 r, const uint8_t bytes[SC25519_BYTES])
{
    for (unsigned i = 0; i < SC25519_WORDS; i++) {
        r[i] = load32_le(bytes + 4 * i);
    }
}

void sc25519_store(uint8_t bytes[SC25519_BYTES], const SC25519 a)
{
    for (unsigned i = 0; i < SC25519_WORDS; i++) {
        store32_le(bytes + 4 * i, a[i]);
    }
}

void sc25519_reduce(SC25519 r, const uint8_t bytes[2 * SC25519_BYTES])
{
    SC25519 high;
    sc25519_load(r, bytes);
    sc25519_load(high, bytes + SC25519_BYTES);
    (void)multiply(r, r, power);
    wipe_stack(multiply(high, high, square));
    add(r, r, high, 0xffffffff);
    wipe_stack(finish(r));
    wipe(high, sizeof high);
}

void sc25519_multiply_add(SC25519 r, const SC25519 a, const SC25519 b, const SC25519 c)
{
    SC25519 product;
    (void)multiply(product, a, b);
    wipe_stack(multiply(product, product, square));
    add(r, product, c, 0xffffffff);
    wipe_stack(finish(r));
    wipe(product, sizeof product);
}

void sc25519_to_signs(SC25519 r, const SC25519 scalar)
{
    /* scalar + 2^256 is one more than the number to halve: L makes it odd, and the shift drops the 1. */
    add(r, scalar, power, 0xffffffff);
    add(r, r, order, opaque((r[0] & 1) - 1));
    for (unsigned i = 0; i < SC25519_WORDS - 1; i++) {
        r[i] = r[i] >> 1 | r[i + 1] << 31;
    }
    r[SC25519_WORDS - 1] >>= 1;
}

int sc25519_is_reduced(const SC25519 a)
{
    SC25519 rest;
    return subtract_order(rest, a) != 0;
}
