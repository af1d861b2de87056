/* Points of edwards25519: doubling, addition, encoding and decoding (RFC 8032, sections 5.1.2 to 5.1.4). */

#include "ge25519.h"
#include "wiping.h"

static const FE25519 d = {0x135978a3, 0x75eb4dca, 0x4141d8ab, 0x00700a4d,
                          0x7779e898, 0x8cc74079, 0x2b6ffe73, 0x52036cee};

static const FE25519 root_of_minus_one = {0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806,
                                          0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480};

void ge25519_clear(GE25519 *point)
{
    wipe(point, sizeof *point);
    point->y[0] = 1;
    point->z[0] = 1;
}

/* Intermediate results of the formulas, with the names of section 5.1.4. */
enum { E, F, G, H };

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t finish(GE25519 *point, int with_t)
{
    uintptr_t depth = stack_depth();
    fe25519_multiply(point->x, point->room[E], point->room[F]);
    fe25519_multiply(point->y, point->room[G], point->room[H]);
    depth = fe25519_multiply(point->z, point->room[F], point->room[G]);
    if (with_t) {
        fe25519_multiply(point->t, point->room[E], point->room[H]);
    }
    return no_tail_call(depth);
}

void ge25519_double(GE25519 *point, int with_t)
{
    FE25519 *room = point->room;
    fe25519_add(room[E], point->x, point->y);
    fe25519_square(room[E], room[E]);
    fe25519_square(room[F], point->x);
    fe25519_square(room[G], point->y);
    fe25519_add(room[H], room[F], room[G]);
    fe25519_subtract(room[G], room[F], room[G]);
    fe25519_subtract(room[E], room[H], room[E]);
    fe25519_square(room[F], point->z);
    fe25519_add_multiple(room[F], room[G], room[F], 2);
    finish(point, with_t);
}

uintptr_t ge25519_add(GE25519 *point, const FE25519 sum, const FE25519 difference, const FE25519 product,
                      const FE25519 two_z, uint32_t minus, int with_t)
{
    FE25519 *room = point->room;
    fe25519_subtract(room[F], point->y, point->x);
    fe25519_multiply(room[F], room[F], difference);
    fe25519_add(room[G], point->y, point->x);
    fe25519_multiply(room[G], room[G], sum);
    fe25519_subtract(room[E], room[G], room[F]);
    fe25519_add(room[H], room[G], room[F]);
    fe25519_multiply(room[G], point->t, product);
    fe25519_subtract(room[F], two_z, room[G]);
    fe25519_add(room[G], two_z, room[G]);
    fe25519_swap(room[F], room[G], minus);
    return no_tail_call(finish(point, with_t));
}

static int are_equal(const FE25519 a, const FE25519 b)
{
    FE25519 difference;
    fe25519_subtract(difference, a, b);
    return fe25519_is_zero(difference);
}

/* Solves x^2 = u / v: the candidate root is u v^3 (u v^7)^((p - 5) / 8), or that times a root of -1; returns 0 if there
 * is no root. */
static int take_root(FE25519 x, const FE25519 u, const FE25519 v)
{
    FE25519 t, uv3, room[FE25519_ROOM];
    fe25519_square(t, v);
    fe25519_multiply(t, t, v);
    fe25519_multiply(uv3, t, u);
    fe25519_square(t, t);
    fe25519_multiply(t, t, v);
    fe25519_multiply(t, t, u); /* u v^7 */
    fe25519_power(x, t, room);
    fe25519_multiply(x, x, uv3);

    fe25519_square(t, x);
    fe25519_multiply(t, t, v);
    if (are_equal(t, u)) {
        return 0;
    }
    fe25519_multiply(x, x, root_of_minus_one);
    fe25519_add(t, t, u);
    return fe25519_is_zero(t) ? 0 : -1;
}

int ge25519_decode_negative(GE25519 *point, const uint8_t bytes[FE25519_BYTES])
{
    uint32_t sign = bytes[FE25519_BYTES - 1] >> 7;
    FE25519  u, v;
    ge25519_clear(point);
    if (fe25519_load_reduced(point->y, bytes) != 0) {
        return -1;
    }
    fe25519_square(u, point->y);
    fe25519_multiply(v, u, d);
    fe25519_subtract(u, u, point->z);
    fe25519_add(v, v, point->z);
    if (take_root(point->x, u, v) != 0 || (fe25519_is_zero(point->x) && sign != 0)) {
        return -1;
    }
    /* The test of x for zero has reduced x; T is still zero. */
    if ((point->x[0] & 1) == sign) {
        fe25519_subtract(point->x, point->t, point->x);
    }
    fe25519_multiply(point->t, point->x, point->y);
    return 0;
}

uintptr_t ge25519_encode(uint8_t bytes[FE25519_BYTES], GE25519 *point)
{
    uintptr_t depth = fe25519_invert(point->t, point->z, point->room);
    fe25519_multiply(point->x, point->x, point->t);
    fe25519_multiply(point->y, point->y, point->t);
    fe25519_store(bytes, point->x);
    fe25519_store(bytes, point->y);
    bytes[FE25519_BYTES - 1] |= (uint8_t)(point->x[0] << 7);
    return no_tail_call(depth);
}
