/* Numbers, and their products modulo the order, of which a signature needs a few. */

#include "words.h"

int number_is_zero(const NUMBER *a)
{
    uint32_t any = 0;
#define ANY(i) any |= a->w[i];
    EACH_WORD(ANY)
#undef ANY
    return any == 0;
}

uint32_t number_subtract(NUMBER *z, const NUMBER *a, const NUMBER *b)
{
    uint32_t borrow = 0;
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t rest = (uint64_t)a->w[i] - b->w[i] - borrow;
        z->w[i]       = (uint32_t)rest;
        borrow        = (uint32_t)(rest >> 32) & 1;
    }
    return borrow;
}

/* All numbers are below 2 n. */
void order_reduce(NUMBER *z, const NUMBER *a)
{
    NUMBER   less;
    uint32_t borrow = number_subtract(&less, a, &curve.n.m);
    number_choose(z, a, &less, 0 - borrow);
}

void order_add(NUMBER *z, const NUMBER *a, const NUMBER *b)
{
    NUMBER   sum, less;
    uint32_t carry = 0;
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t word = (uint64_t)a->w[i] + b->w[i] + carry;
        sum.w[i]      = (uint32_t)word;
        carry         = (uint32_t)(word >> 32);
    }
    uint32_t borrow = number_subtract(&less, &sum, &curve.n.m);
    number_choose(z, &sum, &less, carry - borrow);
}

/* Montgomery multiplication (Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms",
 * 1996). */
void order_multiply(NUMBER *z, const NUMBER *a, const NUMBER *b)
{
    uint32_t t[2 * WORDS], carry = 0;
    NUMBER   high, less;
    words_multiply(t, a, b);
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t q   = t[i] * curve.n.inverse;
        uint64_t sum = 0;
        ROLLED
        for (unsigned j = 0; j < WORDS; j++) {
            sum      = (uint64_t)q * curve.n.m.w[j] + t[i + j] + (uint32_t)(sum >> 32);
            t[i + j] = (uint32_t)sum;
        }
        sum          = (sum >> 32) + t[i + WORDS] + carry;
        t[i + WORDS] = (uint32_t)sum;
        carry        = (uint32_t)(sum >> 32);
    }
    ROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        high.w[i] = t[i + WORDS];
    }
    uint32_t borrow = number_subtract(&less, &high, &curve.n.m);
    number_choose(z, &high, &less, carry - borrow);
}
