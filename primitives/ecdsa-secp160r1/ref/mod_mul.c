/* z = y x mod m: schoolbook product, then division by a modulus of any form.
 *
 * Source: Knuth, "The Art of Computer Programming", volume 2, section 4.3.1, algorithms M and D, with
 * digits of 16 bits, so that every product and every trial quotient fits one 32-bit word. */

#include "field.h"

enum { DIGITS = 2 * FIELD_WORDS };

static void split(const FIELDP *a, uint16_t digit[DIGITS])
{
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        digit[2 * i]     = (uint16_t)a->w[i];
        digit[2 * i + 1] = (uint16_t)(a->w[i] >> 16);
    }
}

static unsigned significant(const uint16_t *digit, unsigned count)
{
    while (count > 1 && digit[count - 1] == 0) {
        count--;
    }
    return count;
}

/* Algorithm M. */
static void multiply(uint16_t product[2 * DIGITS], const uint16_t a[DIGITS], const uint16_t b[DIGITS])
{
    for (unsigned i = 0; i < 2 * DIGITS; i++) {
        product[i] = 0;
    }
    for (unsigned i = 0; i < DIGITS; i++) {
        uint32_t carry = 0;
        for (unsigned j = 0; j < DIGITS; j++) {
            carry += (uint32_t)a[i] * b[j] + product[i + j];
            product[i + j] = (uint16_t)carry;
            carry >>= 16;
        }
        product[i + DIGITS] = (uint16_t)carry;
    }
}

/* Shifts left by less than 16 bits, in place; returns the bits shifted out of the last digit. */
static uint16_t shift(uint16_t *digit, unsigned count, unsigned bits)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < count; i++) {
        carry |= (uint32_t)digit[i] << bits;
        digit[i] = (uint16_t)carry;
        carry >>= 16;
    }
    return (uint16_t)carry;
}

static void unshift(uint16_t *digit, unsigned count, unsigned bits)
{
    uint32_t carry = 0;
    for (unsigned i = count; i-- > 0;) {
        carry    = carry << 16 | digit[i];
        digit[i] = (uint16_t)(carry >> bits);
        carry &= ((uint32_t)1 << bits) - 1u;
    }
}

/* Step D3: the trial quotient, at most one too large. */
static uint32_t trial(const uint16_t *u, const uint16_t *v, unsigned n)
{
    uint32_t top      = (uint32_t)u[n] << 16 | u[n - 1];
    uint32_t quotient = top / v[n - 1];
    uint32_t rest     = top % v[n - 1];
    while (quotient > 0xffffu || quotient * v[n - 2] > (rest << 16 | u[n - 2])) {
        quotient--;
        rest += v[n - 1];
        if (rest > 0xffffu) {
            break;
        }
    }
    return quotient;
}

/* Steps D4 to D6: u -= quotient * v, and adds v back if the result is negative. */
static void subtract(uint16_t *u, const uint16_t *v, unsigned n, uint32_t quotient)
{
    uint32_t carry  = 0;
    uint32_t borrow = 0;
    for (unsigned i = 0; i < n; i++) {
        carry += quotient * v[i];
        uint32_t rest = u[i] - (carry & 0xffffu) - borrow;
        u[i]          = (uint16_t)rest;
        borrow        = rest >> 31;
        carry >>= 16;
    }
    uint32_t rest = u[n] - carry - borrow;
    u[n]          = (uint16_t)rest;
    if (rest >> 31 == 0) {
        return;
    }
    carry = 0;
    for (unsigned i = 0; i < n; i++) {
        carry += (uint32_t)u[i] + v[i];
        u[i] = (uint16_t)carry;
        carry >>= 16;
    }
    u[n] = (uint16_t)(u[n] + carry);
}

/* Algorithm D: leaves u mod v in the low digits of u, which has one extra digit. */
static void reduce(uint16_t u[2 * DIGITS + 1], uint16_t v[DIGITS])
{
    unsigned n    = significant(v, DIGITS);
    unsigned bits = 0;
    if (n == 1) {
        uint32_t rest = 0;
        for (unsigned i = 2 * DIGITS; i-- > 0;) {
            rest = (rest << 16 | u[i]) % v[0];
            u[i] = 0;
        }
        u[0] = (uint16_t)rest;
        return;
    }
    while (((uint32_t)v[n - 1] << bits & 0x8000u) == 0) {
        bits++;
    }
    (void)shift(v, n, bits);
    unsigned count = significant(u, 2 * DIGITS);
    u[count]       = shift(u, count, bits);
    for (unsigned j = count > n ? count - n + 1 : 1; j-- > 0;) {
        if (j + n <= count) {
            subtract(u + j, v, n, trial(u + j, v, n));
        }
    }
    unshift(u, n, bits);
}

void mod_mul(FIELDP y, FIELDP x, FIELDP m, FIELDP *z)
{
    uint16_t a[DIGITS];
    uint16_t b[DIGITS];
    uint16_t product[2 * DIGITS + 1] = {0};
    split(&y, a);
    split(&x, b);
    multiply(product, a, b);
    split(&m, a);
    reduce(product, a);
    unsigned n = significant(a, DIGITS);
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        uint32_t low  = 2 * i < n ? product[2 * i] : 0;
        uint32_t high = 2 * i + 1 < n ? product[2 * i + 1] : 0;
        z->w[i]       = high << 16 | low;
    }
    wipe(product, sizeof product);
    wipe(b, sizeof b);
    wipe(&y, sizeof y);
    wipe(&x, sizeof x);
}
