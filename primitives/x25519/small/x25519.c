/* X25519 with the Montgomery ladder, whose step is a program of field operations (RFC 7748, section 5). */

#include "x25519.h"

#include "field25519.h"
#include "wiping.h"

/* The coordinates of two points, and temporaries. A24 is 121665. */
enum { X2 = FIRST, Z2, X3, Z3, X1, A24, S, T, REGISTERS };

/* The second, the fourth, the seventh and the fourteenth step subtract. */
enum { LADDER_STEPS = 16, LADDER_MINUS = 0x204a };

static const uint16_t ladder[LADDER_STEPS] = {
    STEP(S, X2, Z2, ONE),   STEP(Z2, X2, Z2, ONE),  STEP(X2, X3, Z3, ONE), STEP(Z3, X3, Z3, ONE),
    STEP(T, ZERO, Z3, S),   STEP(X3, T, X2, Z2),    STEP(Z3, T, X2, Z2),   STEP(X3, ZERO, X3, X3),
    STEP(Z3, ZERO, Z3, Z3), STEP(Z3, ZERO, Z3, X1), STEP(S, ZERO, S, S),   STEP(T, ZERO, Z2, Z2),
    STEP(X2, ZERO, S, T),   STEP(T, S, T, ONE),     STEP(S, S, A24, T),    STEP(Z2, ZERO, S, T),
};

/* Conditional swap of the two points: if `swap` is 1. */
static void exchange(FIELD *registers, uint32_t swap)
{
    for (unsigned i = 0; i < 2 * FIELD_WORDS; i++) {
        uint32_t *at   = registers[X2] + i;
        uint32_t  both = (at[0] ^ at[2 * FIELD_WORDS]) & -swap;
        at[0] ^= both;
        at[2 * FIELD_WORDS] ^= both;
    }
}

/* Multiplies the point in X1 by the secret; all other registers must be clear. */
__attribute__((noinline)) static int climb(FIELD *r, const uint8_t *secret, uint8_t *result)
{
    uint32_t swap = 0, any = 0;
    field_step(r, STEP(X3, ZERO, X1, ONE));
    r[X2][0]  = 1;
    r[Z3][0]  = 1;
    r[A24][0] = 121665;
    for (unsigned i = 255; i-- > 0;) {
        /* Clamping: the highest bit counts as set, the lowest three as clear. */
        uint32_t bit = i == 254 ? 1 : i < 3 ? 0 : (uint32_t)secret[i / 8] >> i % 8 & 1;
        exchange(r, swap ^ bit);
        swap = bit;
        field_run(r, ladder, LADDER_STEPS, LADDER_MINUS);
    }
    uintptr_t depth = field_power(r, S, Z2, FIELD_INVERSE_TOP, FIELD_INVERSE_ZEROS);
    field_step(r, STEP(X2, ZERO, X2, S));
    field_store(result, r[X2]);
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        any |= r[X2][i];
    }
    field_clear(r, REGISTERS);
    /* Whether the result is zero is public. */
    any = revealed(any);
    wipe_below(depth);
    return any == 0 ? -1 : 0;
}

void x25519_public(const uint8_t secret[X25519_BYTES], uint8_t public[X25519_BYTES])
{
    FIELD r[REGISTERS];
    field_clear(r, REGISTERS);
    r[X1][0] = 9;
    (void)climb(r, secret, public);
}

int x25519_shared(const uint8_t secret[X25519_BYTES], const uint8_t peer[X25519_BYTES],
                  uint8_t shared[X25519_BYTES])
{
    FIELD r[REGISTERS];
    field_clear(r, REGISTERS);
    field_load(r[X1], peer);
    r[X1][FIELD_WORDS - 1] &= 0x7fffffff;
    return climb(r, secret, shared);
}
