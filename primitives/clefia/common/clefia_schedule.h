/* Parts of the key schedule: constants, and the DoubleSwap function Sigma (RFC 6114, sections 6.2 and 6.3). */

#ifndef CLEFIA_SCHEDULE_H
#define CLEFIA_SCHEDULE_H

#include <stdint.h>

/* The first value T of the constants; the value for the first round key, after 12 steps; and the value after the last
 * round key, 18 steps later. */
enum { CLEFIA_FIRST = 0x428a, CLEFIA_ROUND_KEYS = 0xcb8e, CLEFIA_END = 0x87c1 };

/* One of the two constants CON that are computed from a value T. */
static inline uint32_t clefia_constant(uint32_t number, unsigned second)
{
    uint32_t inverse = number ^ 0xffff;
    if (second) {
        return (inverse ^ 0x243f) << 16 | (number << 8 & 0xffff) | number >> 8;
    }
    return (number ^ 0xb7e1) << 16 | (inverse << 1 & 0xffff) | inverse >> 15;
}

/* The next value T: the quotient by x in GF(2^16); and the previous one. */
static inline uint32_t clefia_next(uint32_t number)
{
    return (number ^ (-(number & 1) & 0x1a831)) >> 1;
}

static inline uint32_t clefia_before(uint32_t number)
{
    return number << 1 ^ (-(number >> 15) & 0x1a831);
}

/* DoubleSwap (section 6.2.1): moves the first and last 7 bits to the middle. */
static inline void clefia_double_swap(uint32_t x[4])
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    x[0] = x0 << 7 | x1 >> 25;
    x[1] = x1 << 7 | (x3 & 0x7f);
    x[2] = (x0 & 0xfe000000) | x2 >> 7;
    x[3] = x2 << 25 | x3 >> 7;
}

/* The inverse of DoubleSwap. */
static inline void clefia_double_swap_back(uint32_t x[4])
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    x[0] = (x2 & 0xfe000000) | x0 >> 7;
    x[1] = x0 << 25 | x1 >> 7;
    x[2] = x2 << 7 | x3 >> 25;
    x[3] = x3 << 7 | (x1 & 0x7f);
}

#endif
