/* Constant-time arithmetic in the field. */

#include "bytes.h"
#include "reduce.h"

static const uint32_t p[WORDS] = P_WORDS;

/* Final reduction: z = r + carry R, minus p unless that is negative. */
static inline void settle(NUMBER *z, const uint32_t r[WORDS], uint32_t carry)
{
    uint32_t less[WORDS];
    uint32_t borrow = 0;
#define MINUS(i) \
    { \
        uint32_t rest = r[i] - p[i]; \
        uint32_t next = is_less(r[i], p[i]); \
        less[i]       = rest - borrow; \
        borrow        = next | is_less(rest, borrow); \
    }
    EACH_WORD(MINUS)
#undef MINUS
    uint32_t keep = opaque(carry - borrow);
#define CHOOSE(i) z->w[i] = less[i] ^ ((less[i] ^ r[i]) & keep);
    EACH_WORD(CHOOSE)
#undef CHOOSE
}

void field_multiply(NUMBER *z, const NUMBER *a, const NUMBER *b)
{
    uint32_t t[2 * WORDS], r[WORDS];
    words_multiply(t, a, b);
    uint32_t carry = words_reduce(r, t);
    settle(z, r, carry);
}

void field_square(NUMBER *z, const NUMBER *a)
{
    uint32_t t[2 * WORDS], r[WORDS];
    words_square(t, a);
    uint32_t carry = words_reduce(r, t);
    settle(z, r, carry);
}

void field_add(NUMBER *z, const NUMBER *a, const NUMBER *b)
{
    uint32_t r[WORDS];
    uint32_t carry = 0;
#define PLUS(i) \
    { \
        uint32_t sum = a->w[i] + b->w[i]; \
        uint32_t over = is_less(sum, b->w[i]); \
        r[i]         = sum + carry; \
        carry        = over | is_less(r[i], carry); \
    }
    EACH_WORD(PLUS)
#undef PLUS
    settle(z, r, carry);
}

void field_subtract(NUMBER *z, const NUMBER *a, const NUMBER *b)
{
    uint32_t r[WORDS];
    uint32_t borrow = 0;
#define MINUS(i) \
    { \
        uint32_t rest = a->w[i] - b->w[i]; \
        uint32_t next = is_less(a->w[i], b->w[i]); \
        r[i]          = rest - borrow; \
        borrow        = next | is_less(rest, borrow); \
    }
    EACH_WORD(MINUS)
#undef MINUS
    uint32_t mask = opaque(0 - borrow), carry = 0;
#define BACK(i) \
    { \
        uint32_t part = p[i] & mask; \
        uint32_t sum  = r[i] + part; \
        uint32_t next = is_less(sum, part); \
        z->w[i]       = sum + carry; \
        carry         = next | is_less(z->w[i], carry); \
    }
    EACH_WORD(BACK)
#undef BACK
}

/* z = a / 2 mod p: half of a, or of a + p for an odd a. */
void field_halve(NUMBER *z, const NUMBER *a)
{
    uint32_t r[WORDS + 1];
    uint32_t mask = opaque(0 - (a->w[0] & 1)), carry = 0;
#define PLUS(i) \
    { \
        uint32_t part = p[i] & mask; \
        uint32_t sum  = a->w[i] + part; \
        uint32_t next = is_less(sum, part); \
        r[i]          = sum + carry; \
        carry         = next | is_less(r[i], carry); \
    }
    EACH_WORD(PLUS)
#undef PLUS
    r[WORDS] = carry;
#define HALF(i) z->w[i] = r[i] >> 1 | r[i + 1] << 31;
    EACH_WORD(HALF)
#undef HALF
}

#if defined(ECDSA_SECP256K1)

void field_to_montgomery(NUMBER *z, const NUMBER *a)
{
    *z = *a;
}

void field_from_montgomery(NUMBER *z, const NUMBER *a)
{
    *z = *a;
}

void field_invert(NUMBER *z, const NUMBER *a)
{
    number_invert(z, a, &curve.p);
}

#else

void field_to_montgomery(NUMBER *z, const NUMBER *a)
{
    field_multiply(z, a, &curve.p.square);
}

void field_from_montgomery(NUMBER *z, const NUMBER *a)
{
    static const NUMBER one = {{1}};
    field_multiply(z, a, &one);
}

/* The inverse of a R is 1 / (a R); the result must be R / a. */
void field_invert(NUMBER *z, const NUMBER *a)
{
    number_invert(z, a, &curve.p);
    field_to_montgomery(z, z);
    field_to_montgomery(z, z);
}

#endif
