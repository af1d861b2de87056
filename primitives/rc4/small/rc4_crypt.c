/* The key stream, and its addition to the text. */

#include "rc4.h"
#include "wiping.h"

void rc4_crypt(RC4 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    for (; size > 0; size--) {
        uint8_t a           = state->s[++state->i];
        uint8_t b           = state->s[state->j = (uint8_t)(state->j + a)];
        state->s[state->i]  = b;
        state->s[state->j]  = a;
        *result++           = *text++ ^ state->s[(a + b) % 256];
    }
    wipe_registers();
}
