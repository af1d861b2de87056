/* Quotients of 16 bits for S2 cores: GCC's library takes the multiplier and divider unit there, through which secrets are
 * not followed.
 *
 * Names and meanings: "The GCC low-level runtime library", GCC internals manual, chapter 4. */

#include <stdint.h>

#ifdef __RL78_G13__

uint16_t __udivhi3(uint16_t a, uint16_t b);
uint16_t __umodhi3(uint16_t a, uint16_t b);
int16_t  __divhi3(int16_t a, int16_t b);
int16_t  __modhi3(int16_t a, int16_t b);

/* Shift-and-subtract division, one quotient bit per iteration, as in divide32.c. */
static uint16_t divide(uint16_t a, uint16_t b, uint16_t *rest)
{
    uint16_t remainder = 0;
    for (int bit = 0; bit < 16; bit++) {
        uint16_t carry = remainder >> 15;
        remainder      = (uint16_t)(remainder << 1 | a >> 15);
        a              = (uint16_t)(a << 1);
        if (carry != 0 || remainder >= b) {
            remainder = (uint16_t)(remainder - b);
            a |= 1u;
        }
    }
    *rest = remainder;
    return a;
}

static uint16_t magnitude(int16_t a)
{
    return (uint16_t)(a < 0 ? 0u - (uint16_t)a : (uint16_t)a);
}

uint16_t __udivhi3(uint16_t a, uint16_t b)
{
    uint16_t rest;
    return divide(a, b, &rest);
}

uint16_t __umodhi3(uint16_t a, uint16_t b)
{
    uint16_t rest;
    (void)divide(a, b, &rest);
    return rest;
}

int16_t __divhi3(int16_t a, int16_t b)
{
    uint16_t quotient = __udivhi3(magnitude(a), magnitude(b));
    return (int16_t)((a < 0) != (b < 0) ? 0u - quotient : quotient);
}

int16_t __modhi3(int16_t a, int16_t b)
{
    uint16_t rest = __umodhi3(magnitude(a), magnitude(b));
    return (int16_t)(a < 0 ? 0u - rest : rest);
}

#endif
