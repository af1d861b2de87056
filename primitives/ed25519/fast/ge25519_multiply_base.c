/* Multiples of the base point of edwards25519 with combs of four teeth, in constant time. */

#include "bytes.h"
#include "ge25519.h"
#include "wiping.h"

enum { TEETH = 4, TOOTH_BITS = 64, COMB_BITS = TOOTH_BITS / GE25519_COMBS };

static uint32_t bit_of(const SC25519 scalar, unsigned i)
{
    return scalar[i / 32] >> i % 32 & 1;
}

/* All ones if both numbers, which are below 2^31, are equal, otherwise 0. */
static uint32_t mask_of(uint32_t a, uint32_t b)
{
    return opaque(-(opaque((a ^ b) - 1) >> 31));
}

/* Copies the entry of a comb with a secret index; reads all entries. */
static void look_up(GE25519_FACTOR *factor, const GE25519_FACTOR *comb, uint32_t number)
{
    uint32_t       *to   = (uint32_t *)(void *)factor;
    const uint32_t *from = (const uint32_t *)(const void *)comb;
    const unsigned  size = sizeof *comb / sizeof *from;
    const uint32_t  m0 = mask_of(number, 0), m1 = mask_of(number, 1), m2 = mask_of(number, 2);
    const uint32_t  m3 = mask_of(number, 3), m4 = mask_of(number, 4), m5 = mask_of(number, 5);
    const uint32_t  m6 = mask_of(number, 6), m7 = mask_of(number, 7);
    for (unsigned i = 0; i < size; i++, from++) {
        to[i] = (from[0] & m0) | (from[size] & m1) | (from[2 * size] & m2) | (from[3 * size] & m3) |
                (from[4 * size] & m4) | (from[5 * size] & m5) | (from[6 * size] & m6) | (from[7 * size] & m7);
    }
}

/* Intermediate values besides the point, which are wiped together. */
typedef struct {
    SC25519        signs;
    GE25519_FACTOR factor;
    FE25519        two_z;
} WORK;

/* Adds the comb's entry for one bit per tooth, from bit `first` of the signs on. If the bit of the last tooth is clear,
 * it adds the negative of the entry for the complement. */
static NOINLINE uintptr_t add_entry(GE25519 *r, WORK *work, const GE25519_FACTOR *comb, unsigned first, int with_t)
{
    GE25519_FACTOR *factor = &work->factor;
    uint32_t        number = 0, minus = bit_of(work->signs, first + (TEETH - 1) * TOOTH_BITS) - 1;
    for (unsigned tooth = 0; tooth < TEETH - 1; tooth++) {
        number |= bit_of(work->signs, first + tooth * TOOTH_BITS) << tooth;
    }
    look_up(factor, comb, number ^ (minus & 7));
    fe25519_swap(factor->sum, factor->difference, minus);
    fe25519_add(work->two_z, r->z, r->z);
    return no_tail_call(ge25519_add(r, factor->sum, factor->difference, factor->product, work->two_z, minus, with_t));
}

uintptr_t ge25519_multiply_base(GE25519 *r, const SC25519 scalar)
{
    WORK      work;
    uintptr_t depth = stack_depth();
    sc25519_to_signs(work.signs, scalar);
    ge25519_clear(r);
    for (unsigned i = COMB_BITS; i-- > 0;) {
        if (i < COMB_BITS - 1) {
            ge25519_double(r, 1);
        }
        for (unsigned comb = 0; comb < GE25519_COMBS; comb++) {
            depth = add_entry(r, &work, ge25519_combs[comb], comb * COMB_BITS + i, comb < GE25519_COMBS - 1);
        }
    }
    wipe(&work, sizeof work);
    return no_tail_call(depth);
}
