/* Points of edwards25519, with formulas as programs of field operations (RFC 8032, sections 5.1.2 to 5.1.4). */

#include "point25519.h"

#include "wiping.h"

/* 2 d, where d is the constant of the curve. */
static const uint8_t curve_constant[FIELD_BYTES] = {
    0x59, 0xf1, 0xb2, 0x26, 0x94, 0x9b, 0xd6, 0xeb, 0x56, 0xb1, 0x83, 0x82, 0x9a, 0x14, 0xe0, 0x00,
    0x30, 0xd1, 0xf3, 0xee, 0xf2, 0x80, 0x8e, 0x19, 0xe7, 0xfc, 0xdf, 0x56, 0xdc, 0xd9, 0x06, 0x24,
};

/* The sum of any two points (section 5.1.4). Steps for which a bit of ADD_MINUS is set subtract. */
enum { ADD_STEPS = 17, ADD_MINUS = 0x843 };

static const uint16_t add[ADD_STEPS] = {
    STEP(S, Y1, X1, ONE),  STEP(U, Y2, X2, ONE),  STEP(S, ZERO, S, U),   STEP(X1, Y1, X1, ONE),
    STEP(U, Y2, X2, ONE),  STEP(U, ZERO, X1, U),  STEP(X1, U, S, ONE),   STEP(S, U, S, ONE),
    STEP(T1, ZERO, T1, T2), STEP(U, ZERO, Z1, Z2), STEP(U, U, U, ONE),    STEP(V, U, T1, D2),
    STEP(Z1, U, T1, D2),   STEP(T1, ZERO, X1, S), STEP(X1, ZERO, X1, V), STEP(Y1, ZERO, Z1, S),
    STEP(Z1, ZERO, Z1, V),
};

/* Decoding of y in Y1 (section 5.1.3): S = 2 - 2 y^2 = -u and U = 2 + 2 d y^2 = v, then X1 = -u v^3, and T1 = -u v^7,
 * the base of the exponentiation. V becomes 2. */
enum { DECODE_STEPS = 10, DECODE_MINUS = 0x4 };

static const uint16_t decode[DECODE_STEPS] = {
    STEP(T1, ZERO, Y1, Y1), STEP(V, ONE, ONE, ONE), STEP(S, V, T1, V),      STEP(U, V, T1, D2),
    STEP(Z1, ZERO, U, U),   STEP(Z1, ZERO, Z1, U),  STEP(X1, ZERO, S, Z1),  STEP(T1, ZERO, Z1, Z1),
    STEP(T1, ZERO, T1, U),  STEP(T1, ZERO, T1, S),
};

void point_start(FIELD registers[REGISTERS])
{
    field_clear(registers, REGISTERS);
    field_load(registers[D2], curve_constant);
}

static void copy(uint32_t *to, const uint32_t *from)
{
    for (unsigned i = 0; i < COORDINATES * FIELD_WORDS; i++) {
        to[i] = from[i];
    }
}

static int is_zero(FIELD a)
{
    uint8_t  bytes[FIELD_BYTES];
    uint32_t bits = 0;
    field_store(bytes, a);
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        bits |= a[i];
    }
    return bits == 0;
}

/* Returns true if v x^2 is u. */
static int is_root(FIELD *r)
{
    field_step(r, STEP(Z1, ZERO, X1, X1));
    field_step(r, STEP(Z1, S, Z1, U));
    return is_zero(r[Z1]);
}

unsigned point_differ(const uint8_t a[FIELD_BYTES], const uint8_t b[FIELD_BYTES])
{
    uint8_t bits = 0;
    for (unsigned i = 0; i < FIELD_BYTES; i++) {
        bits |= a[i] ^ b[i];
    }
    return bits;
}

/* Loads y into its register; returns 0 if it is below the prime. */
static unsigned load_y(FIELD *r, const uint8_t *bytes)
{
    uint8_t reduced[FIELD_BYTES];
    field_load(r[Y1], bytes);
    r[Y1][FIELD_WORDS - 1] &= 0x7fffffff;
    field_store(reduced, r[Y1]);
    reduced[FIELD_BYTES - 1] |= bytes[FIELD_BYTES - 1] & 0x80;
    return point_differ(reduced, bytes);
}

int point_decode(FIELD registers[REGISTERS], POINT point, const uint8_t bytes[FIELD_BYTES], uint32_t negate)
{
    uint32_t sign = bytes[FIELD_BYTES - 1] >> 7;
    if (load_y(registers, bytes) != 0) {
        return -1;
    }
    field_run(registers, decode, DECODE_STEPS, DECODE_MINUS);
    field_power(registers, Z1, T1, 251, 2);
    field_step(registers, STEP(X1, ZERO, X1, Z1));
    if (!is_root(registers)) {
        /* 2^((p - 1) / 4) is a square root of -1. */
        field_power(registers, T1, V, 252, 4);
        field_step(registers, STEP(X1, ZERO, X1, T1));
        if (!is_root(registers)) {
            return -1;
        }
    }
    if (is_zero(registers[X1]) && sign != 0) {
        return -1;
    }
    field_step(registers, STEP(X1, ZERO, X1, ONE) | ((registers[X1][0] ^ sign ^ negate) & 1) * MINUS);
    field_step(registers, STEP(Z1, ZERO, ONE, ONE));
    field_step(registers, STEP(T1, ZERO, X1, Y1));
    copy(point[0], registers[X1]);
    return 0;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encode(FIELD *r, uint8_t *bytes)
{
    uintptr_t depth = field_power(r, S, Z1, FIELD_INVERSE_TOP, FIELD_INVERSE_ZEROS);
    field_step(r, STEP(X1, ZERO, X1, S));
    field_step(r, STEP(Y1, ZERO, Y1, S));
    field_store(bytes, r[X1]);
    field_store(bytes, r[Y1]);
    bytes[FIELD_BYTES - 1] |= (uint8_t)(r[X1][0] << 7);
    return no_tail_call(depth);
}

/* Adds a point if `bit` is 1, or else the neutral element (0, 1). */
static void add_if(FIELD *r, const POINT point, uint32_t bit)
{
    uint32_t       *to   = r[X2];
    const uint32_t *from = point[0];
    for (unsigned i = 0; i < COORDINATES * FIELD_WORDS; i++) {
        to[i] = from[i] & -opaque(bit);
    }
    r[Y2][0] |= 1 - bit;
    r[Z2][0] |= 1 - bit;
    field_run(r, add, ADD_STEPS, ADD_MINUS);
}

uintptr_t point_multiply(FIELD registers[REGISTERS], uint8_t bytes[FIELD_BYTES], const SCALAR *scalars,
                    const POINT *points, unsigned number)
{
    /* The accumulator starts as (0, 1), whose double is itself. */
    wipe(registers[X1], sizeof(POINT));
    registers[Y1][0] = 1;
    registers[Z1][0] = 1;
    for (unsigned i = 256; i-- > 0;) {
        copy(registers[X2], registers[X1]);
        field_run(registers, add, ADD_STEPS, ADD_MINUS);
        for (unsigned k = 0; k < number; k++) {
            add_if(registers, points[k], scalars[k][i / 32] >> i % 32 & 1);
        }
    }
    return no_tail_call(encode(registers, bytes));
}
