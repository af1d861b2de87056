/* A round of Keccak-f[1600], row by row from one state to another (FIPS 202, section 3), with lane complementing as in
 * "Keccak implementation overview", section 2.2. The including file defines ROTATE(lane, places), which rotates a lane,
 * and the round constants. */

#ifndef ROUND_H
#define ROUND_H

#include "lanes.h"
#include "permute.h"
#include "wiping.h"

/* Theta and rho: adds the column parities to a lane, and rotates it. */
#define TAKE(b, lane, d, places)                                                                        \
    do {                                                                                                \
        (b) = ROTATE(get(from, lane) ^ (d), places);                                                    \
        SETTLE(b);                                                                                      \
    } while (0)

/* A round. Pi selects the lanes of each row; chi is written with the fewest complements. */
static inline void make_round(uint32_t *to, const uint32_t *from, const uint64_t *round_constant)
{
    uint64_t b0, b1, b2, b3, b4;
    uint64_t c0 = column(from, 0), c1 = column(from, 1), c2 = column(from, 2), c3 = column(from, 3);
    uint64_t c4 = column(from, 4);
    uint64_t d0 = c4 ^ ROTATE(c1, 1), d1 = c0 ^ ROTATE(c2, 1), d2 = c1 ^ ROTATE(c3, 1), d3 = c2 ^ ROTATE(c4, 1);
    uint64_t d4 = c3 ^ ROTATE(c0, 1);

    FORGET();
    TAKE(b0, 0, d0, 0); TAKE(b1, 6, d1, 44); TAKE(b2, 12, d2, 43); TAKE(b3, 18, d3, 21);
    TAKE(b4, 24, d4, 14);
    put(to, 0, b0 ^ (b1 | b2) ^ *round_constant);
    put(to, 1, b1 ^ (~b2 | b3));
    put(to, 2, b2 ^ (b3 & b4));
    put(to, 3, b3 ^ (b4 | b0));
    put(to, 4, b4 ^ (b0 & b1));

    TAKE(b0, 3, d3, 28); TAKE(b1, 9, d4, 20); TAKE(b2, 10, d0, 3); TAKE(b3, 16, d1, 45);
    TAKE(b4, 22, d2, 61);
    put(to, 5, b0 ^ (b1 | b2));
    put(to, 6, b1 ^ (b2 & b3));
    put(to, 7, b2 ^ (b3 | ~b4));
    put(to, 8, b3 ^ (b4 | b0));
    put(to, 9, b4 ^ (b0 & b1));

    TAKE(b0, 1, d1, 1); TAKE(b1, 7, d2, 6); TAKE(b2, 13, d3, 25); TAKE(b3, 19, d4, 8);
    TAKE(b4, 20, d0, 18);
    put(to, 10, b0 ^ (b1 | b2));
    put(to, 11, b1 ^ (b2 & b3));
    put(to, 12, b2 ^ (~b3 & b4));
    put(to, 13, ~b3 ^ (b4 | b0));
    put(to, 14, b4 ^ (b0 & b1));

    TAKE(b0, 4, d4, 27); TAKE(b1, 5, d0, 36); TAKE(b2, 11, d1, 10); TAKE(b3, 17, d2, 15);
    TAKE(b4, 23, d3, 56);
    put(to, 15, b0 ^ (b1 & b2));
    put(to, 16, b1 ^ (b2 | b3));
    put(to, 17, b2 ^ (~b3 | b4));
    put(to, 18, ~b3 ^ (b4 & b0));
    put(to, 19, b4 ^ (b0 | b1));

    TAKE(b0, 2, d2, 62); TAKE(b1, 8, d3, 55); TAKE(b2, 14, d4, 39); TAKE(b3, 15, d0, 41);
    TAKE(b4, 21, d1, 2);
    put(to, 20, b0 ^ (~b1 & b2));
    put(to, 21, ~b1 ^ (b2 | b3));
    put(to, 22, b2 ^ (b3 & b4));
    put(to, 23, b3 ^ (b4 | b0));
    put(to, 24, b4 ^ (b0 & b1));
}

uintptr_t KECCAK_NAME(permute)(uint32_t words[2 * KECCAK_LANES])
{
    uint32_t  other[2 * KECCAK_LANES];
    uint32_t *from = words, *to = other;
    for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
        make_round(to, from, &constant[round]);
        uint32_t *was = from;
        from          = to;
        to            = was;
    }
    return stack_depth();
}

#endif
