/* The sum of multiples of a point of edwards25519 and of the base point, with signed digits; for public scalars. */

#include "ge25519.h"

enum { DIGITS = 256, WIDTH = 5, MULTIPLES = GE25519_ODD_ENTRIES };

static const FE25519 two_d = {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a,
                              0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc};

/* The values of an addend, and twice its Z. */
typedef struct {
    GE25519_FACTOR factor;
    FE25519        two_z;
} MULTIPLE;

static void prepare(MULTIPLE *r, const GE25519 *point)
{
    fe25519_add(r->factor.sum, point->y, point->x);
    fe25519_subtract(r->factor.difference, point->y, point->x);
    fe25519_multiply(r->factor.product, point->t, two_d);
    fe25519_add(r->two_z, point->z, point->z);
}

/* Adds the addend, or its negative if the digit is negative. */
static void add(GE25519 *r, const GE25519_FACTOR *factor, const FE25519 two_z, int digit, int with_t)
{
    if (digit > 0) {
        ge25519_add(r, factor->sum, factor->difference, factor->product, two_z, 0, with_t);
    } else {
        ge25519_add(r, factor->difference, factor->sum, factor->product, two_z, 0xffffffff, with_t);
    }
}

static void add_multiple(GE25519 *r, const MULTIPLE *multiple, int digit, int with_t)
{
    FE25519 two_z;
    fe25519_multiply(two_z, r->z, multiple->two_z);
    add(r, &multiple->factor, two_z, digit, with_t);
}

static void add_base(GE25519 *r, const GE25519_FACTOR *factor, int digit, int with_t)
{
    FE25519 two_z;
    fe25519_add(two_z, r->z, r->z);
    add(r, factor, two_z, digit, with_t);
}

/* Odd multiples of the point: 1, 3, 5, and so on. */
static void prepare_all(MULTIPLE *multiples, const GE25519 *point)
{
    MULTIPLE twice;
    GE25519  sum = *point;
    ge25519_double(&sum, 1);
    prepare(&twice, &sum);
    sum = *point;
    for (unsigned i = 0; i < MULTIPLES; i++) {
        prepare(&multiples[i], &sum);
        add_multiple(&sum, &twice, 1, 1);
    }
}

/* Recodes a scalar below 2^255 into odd digits from -15 to 15 with at least four zeros between them (width-5 NAF). */
static void to_digits(int8_t *digits, const SC25519 scalar)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < DIGITS; i++) {
        digits[i] = 0;
    }
    for (unsigned i = 0; i < DIGITS; i++) {
        if ((scalar[i / 32] >> i % 32 & 1) != carry) {
            uint32_t window = carry;
            for (unsigned k = 0; k < WIDTH && i + k < DIGITS; k++) {
                window += (scalar[(i + k) / 32] >> (i + k) % 32 & 1) << k;
            }
            carry     = window >> (WIDTH - 1);
            digits[i] = (int8_t)((int)window - (int)(carry << WIDTH));
            i += WIDTH - 1;
        }
    }
}

void ge25519_multiply_both(GE25519 *r, const SC25519 a, const GE25519 *point, const SC25519 b)
{
    MULTIPLE multiples[MULTIPLES];
    int8_t   first[DIGITS], second[DIGITS];
    prepare_all(multiples, point);
    to_digits(first, a);
    to_digits(second, b);
    ge25519_clear(r);
    for (unsigned i = DIGITS; i-- > 0;) {
        ge25519_double(r, first[i] != 0 || second[i] != 0);
        if (first[i] != 0) {
            add_multiple(r, &multiples[(first[i] < 0 ? -first[i] : first[i]) / 2], first[i], second[i] != 0);
        }
        if (second[i] != 0) {
            add_base(r, &ge25519_odd[(second[i] < 0 ? -second[i] : second[i]) / 2], second[i], 0);
        }
    }
}
