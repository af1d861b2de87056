/* Constant-time inversion.
 *
 * Source: D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion" (2019), but starting
 * with delta = 1/2, with which 590 steps suffice for 256 bits (P. Wuille, "Bounds on divsteps iterations in safegcd",
 * 2021). The steps run in groups of 30: the low words alone determine a matrix, which is then applied to the
 * numbers. */

#include "bytes.h"
#include "fast.h"

enum { LIMB = 30, LIMBS = BITS / LIMB + 1, ROUNDS = 20, GROWTH = 4 };

#define LIMB_MASK (((uint32_t)1 << LIMB) - 1)

/* A signed number in limbs of 30 bits, lowest first; the highest limb has the sign. */
typedef struct {
    int32_t limb[LIMBS];
} SIGNED;

/* The matrix of 30 steps, times 2^30: f = top_f f + top_g g, g = low_f f + low_g g. */
typedef struct {
    int32_t top_f, top_g, low_f, low_g;
} MATRIX;

typedef struct {
    MATRIX matrix;
    SIGNED f, g; /* converge to the greatest common divisor, up to its sign, and to 0 */
    SIGNED d, e; /* factors such that f = d a and g = e a modulo m */
} WORK;

static void split(SIGNED *z, const NUMBER *a)
{
    ROLLED
    for (unsigned i = 0; i < LIMBS; i++) {
        unsigned at   = LIMB * i / 32, bit = LIMB * i % 32;
        uint32_t low  = a->w[at] >> bit;
        uint32_t high = at + 1 < WORDS && bit > 32 - LIMB ? a->w[at + 1] << (32 - bit) : 0;
        z->limb[i]    = (int32_t)((low | high) & LIMB_MASK);
    }
}

/* A word has bits of two limbs and, in some cases, of a third. */
static void from_signed(NUMBER *z, const SIGNED *a)
{
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        unsigned at = 32 * i / LIMB, bit = 32 * i % LIMB;
        uint32_t word = (uint32_t)a->limb[at] >> bit;
        if (at + 1 < LIMBS) {
            word |= (uint32_t)a->limb[at + 1] << (LIMB - bit);
        }
        if (at + 2 < LIMBS && bit > 2 * LIMB - 32) {
            word |= (uint32_t)a->limb[at + 2] << (2 * LIMB - bit);
        }
        z->w[i] = word;
    }
}

/* 30 steps; `state` is -(delta + 1/2). */
static int32_t steps(MATRIX *matrix, uint32_t f, uint32_t g, int32_t state)
{
    uint32_t top_f = 1, top_g = 0, low_f = 0, low_g = 1;
    ROLLED
    for (unsigned i = 0; i < LIMB; i++) {
        uint32_t odd      = 0u - (g & 1);
        uint32_t positive = (uint32_t)(state >> 31);
        /* Makes an odd g even: adds f or, if delta is positive, subtracts it. */
        g += ((f ^ positive) - positive) & odd;
        low_f += ((top_f ^ positive) - positive) & odd;
        low_g += ((top_g ^ positive) - positive) & odd;
        /* If delta is positive and g odd, the old g becomes f. */
        positive &= odd;
        state = (int32_t)((uint32_t)state ^ positive) - 1;
        f += g & positive;
        top_f += low_f & positive;
        top_g += low_g & positive;
        g >>= 1;
        top_f <<= 1;
        top_g <<= 1;
    }
    *matrix = (MATRIX){(int32_t)top_f, (int32_t)top_g, (int32_t)low_f, (int32_t)low_g};
    return state;
}

/* Multiplies f and g by the matrix; the lowest limbs become 0 and are dropped. */
static void apply(const MATRIX *by, SIGNED *f, SIGNED *g)
{
    int64_t top = 0, low = 0;
    ROLLED
    for (unsigned i = 0; i < LIMBS; i++) {
        int32_t a = f->limb[i], b = g->limb[i];
        top += (int64_t)by->top_f * a + (int64_t)by->top_g * b;
        low += (int64_t)by->low_f * a + (int64_t)by->low_g * b;
        if (i > 0) {
            f->limb[i - 1] = (int32_t)((uint32_t)top & LIMB_MASK);
            g->limb[i - 1] = (int32_t)((uint32_t)low & LIMB_MASK);
        }
        top >>= LIMB;
        low >>= LIMB;
    }
    f->limb[LIMBS - 1] = (int32_t)top;
    g->limb[LIMBS - 1] = (int32_t)low;
}

/* Multiplies d and e by the matrix, and adds multiples of m that clear the lowest limbs. Since the multiples after the
 * division are between -m / 2 and m / 2, d and e grow by that much in each round: up to 11 m. */
static void apply_modulo(const MATRIX *by, SIGNED *d, SIGNED *e, const SIGNED *m, uint32_t inverse)
{
    int64_t top = 0, low = 0;
    int32_t k = 0, l = 0;
    ROLLED
    for (unsigned i = 0; i < LIMBS; i++) {
        int32_t a = d->limb[i], b = e->limb[i];
        top += (int64_t)by->top_f * a + (int64_t)by->top_g * b;
        low += (int64_t)by->low_f * a + (int64_t)by->low_g * b;
        if (i == 0) {
            k = (int32_t)((uint32_t)top * inverse << 2) >> 2;
            l = (int32_t)((uint32_t)low * inverse << 2) >> 2;
        }
        top += (int64_t)k * m->limb[i];
        low += (int64_t)l * m->limb[i];
        if (i > 0) {
            d->limb[i - 1] = (int32_t)((uint32_t)top & LIMB_MASK);
            e->limb[i - 1] = (int32_t)((uint32_t)low & LIMB_MASK);
        }
        top >>= LIMB;
        low >>= LIMB;
    }
    d->limb[LIMBS - 1] = (int32_t)top;
    e->limb[LIMBS - 1] = (int32_t)low;
}

/* z += (b << places) & mask, or -b where sign is ~0. */
static void add(SIGNED *z, const SIGNED *b, unsigned places, uint32_t mask, uint32_t sign)
{
    int64_t sum = 0;
    ROLLED
    for (unsigned i = 0; i < LIMBS; i++) {
        int32_t part = (int32_t)(((uint32_t)b->limb[i] & mask) ^ sign) - (int32_t)sign;
        sum += (int64_t)part * ((int32_t)1 << places) + z->limb[i];
        z->limb[i] = i < LIMBS - 1 ? (int32_t)((uint32_t)sum & LIMB_MASK) : (int32_t)sum;
        sum >>= LIMB;
    }
}

/* z = z mod m, for z between -16 m and 16 m. */
static void reduce(SIGNED *z, const SIGNED *m)
{
    add(z, m, GROWTH, (uint32_t)(z->limb[LIMBS - 1] >> 31), 0);
    ROLLED
    for (unsigned places = GROWTH; places-- > 0;) {
        add(z, m, places, UINT32_MAX, UINT32_MAX);
        add(z, m, places, (uint32_t)(z->limb[LIMBS - 1] >> 31), 0);
    }
}

void number_invert(NUMBER *z, const NUMBER *a, const MODULUS *of)
{
    WORK    own   = {.e = {{1}}};
    SIGNED  m;
    int32_t state = -1;
    split(&m, &of->m);
    own.f = m;
    split(&own.g, a);
    ROLLED
    for (unsigned i = 0; i < ROUNDS; i++) {
        state = steps(&own.matrix, (uint32_t)own.f.limb[0], (uint32_t)own.g.limb[0], state);
        apply(&own.matrix, &own.f, &own.g);
        apply_modulo(&own.matrix, &own.d, &own.e, &m, of->inverse);
    }
    /* f is now 1 or -1, or m if a is 0; d is the multiple of 1 / a. */
    own.e = (SIGNED){{0}};
    add(&own.e, &own.d, 0, UINT32_MAX, (uint32_t)(own.f.limb[LIMBS - 1] >> 31));
    reduce(&own.e, &m);
    from_signed(z, &own.e);
    wipe(&own, sizeof own);
}
