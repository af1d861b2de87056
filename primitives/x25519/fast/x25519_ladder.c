/* The Montgomery ladder of X25519 in seven elements of the field (RFC 7748, section 5). */

#include "x25519_ladder.h"
#include "wiping.h"

enum { A24 = 121665 };

/* The points X2 / Z2 and X3 / Z3, whose difference is X1; and temporaries. */
enum { X1, X2, Z2, X3, Z3, T, U, ELEMENTS };

/* A ladder step: the second point becomes the sum, and the first one is doubled; or, if `second` is all ones, the first
 * point becomes the double of the second one. */
static void step(FE25519 *l, uint32_t second)
{
    fe25519_subtract(l[T], l[X2], l[Z2]);
    fe25519_add(l[X2], l[X2], l[Z2]);
    fe25519_subtract(l[U], l[X3], l[Z3]);
    fe25519_add(l[X3], l[X3], l[Z3]);
    fe25519_multiply(l[Z2], l[X3], l[T]);
    fe25519_multiply(l[Z3], l[X2], l[U]);
    fe25519_select(l[X2], l[X3], second);
    fe25519_select(l[T], l[U], second);

    fe25519_add(l[X3], l[Z3], l[Z2]);
    fe25519_subtract(l[Z3], l[Z3], l[Z2]);
    fe25519_square(l[X3], l[X3]);
    fe25519_square(l[Z3], l[Z3]);
    fe25519_multiply(l[Z3], l[Z3], l[X1]);

    fe25519_square(l[X2], l[X2]);
    fe25519_square(l[T], l[T]);
    fe25519_subtract(l[U], l[X2], l[T]);
    fe25519_add_multiple(l[Z2], l[X2], l[U], A24);
    fe25519_multiply(l[X2], l[X2], l[T]);
    fe25519_multiply(l[Z2], l[Z2], l[U]);
}

/* Clamping: the highest bit of a secret counts as set, the lowest three as clear. The last three bits are 0, so that
 * the points end in order. */
static void climb(FE25519 *l, const uint8_t *secret)
{
    uint32_t before = 0;
    for (unsigned i = 255; i-- > 0;) {
        uint32_t bit = i == 254 ? 1 : i < 3 ? 0 : (uint32_t)secret[i / 8] >> i % 8 & 1;
        step(l, -(bit ^ before));
        before = bit;
    }
}

int x25519_ladder(const uint8_t secret[FE25519_BYTES], const FE25519 point, uint8_t result[FE25519_BYTES])
{
    FE25519  l[ELEMENTS];
    uint32_t any = 0;
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        l[X1][i] = l[X3][i] = point[i];
        l[X2][i] = l[Z3][i] = i == 0;
        l[Z2][i] = 0;
    }
    climb(l, secret);
    uintptr_t depth = fe25519_invert(l[X1], l[Z2], l + X3);
    depth           = deeper(depth, fe25519_multiply(l[X2], l[X2], l[X1]));
    fe25519_store(result, l[X2]);
    for (unsigned i = 0; i < FE25519_WORDS; i++) {
        any |= l[X2][i];
    }
    wipe_aligned(l, sizeof l);
    any = revealed(any);
    wipe_below(depth);
    /* Whether the result is zero is public. */
    return any == 0 ? -1 : 0;
}
