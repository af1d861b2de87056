/* Inverses and other powers in GF(2^255 - 19), for the field whose header comes first on the include path. */

#include <fe25519.h>

#include "wiping.h"

uintptr_t fe25519_square_often(FE25519 r, const FE25519 a, unsigned times)
{
    uintptr_t depth = fe25519_square(r, a);
    while (--times > 0) {
        fe25519_square(r, r);
    }
    return no_tail_call(depth);
}

/* r = a to the power of 2^250 - 1, and room[0] = a to the power of 11. Returns its stack depth. */
static NOINLINE uintptr_t power_ones(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM])
{
    uint32_t *b = room[1], *c = room[2];
    fe25519_square(b, a);
    fe25519_square_often(c, b, 2);
    fe25519_multiply(c, c, a);
    fe25519_multiply(room[0], c, b);
    fe25519_square(b, room[0]);
    fe25519_multiply(b, b, c); /* 2^5 - 1 */
    fe25519_square_often(c, b, 5);
    fe25519_multiply(r, c, b); /* 2^10 - 1 */
    fe25519_square_often(c, r, 10);
    fe25519_multiply(b, c, r); /* 2^20 - 1 */
    fe25519_square_often(c, b, 20);
    fe25519_multiply(c, c, b); /* 2^40 - 1 */
    fe25519_square_often(c, c, 10);
    fe25519_multiply(r, c, r); /* 2^50 - 1 */
    fe25519_square_often(c, r, 50);
    fe25519_multiply(b, c, r); /* 2^100 - 1 */
    fe25519_square_often(c, b, 100);
    fe25519_multiply(c, c, b); /* 2^200 - 1 */
    uintptr_t depth = fe25519_square_often(c, c, 50);
    return no_tail_call(deeper(depth, fe25519_multiply(r, c, r)));
}

void fe25519_power(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM])
{
    power_ones(r, a, room);
    fe25519_square_often(r, r, 2);
    fe25519_multiply(r, r, a);
}

uintptr_t fe25519_invert(FE25519 r, const FE25519 a, FE25519 room[FE25519_ROOM])
{
    uintptr_t depth = power_ones(r, a, room);
    fe25519_square_often(r, r, 5);
    depth = deeper(depth, fe25519_multiply(r, r, room[0]));
    return no_tail_call(depth);
}
