/* The key stream, four bytes per iteration, from the first index on that is a multiple of four. */

#include "rc4.h"
#include "wiping.h"

/* The next byte of the key stream, for the index of `at`. */
static inline uint8_t next(uint8_t s[256], uint8_t *at, unsigned *j)
{
    unsigned a = *at;
    *j         = (*j + a) & 255;
    unsigned b = s[*j];
    s[*j]      = (uint8_t)a;
    *at        = (uint8_t)b;
    return s[(a + b) & 255];
}

void rc4_crypt(RC4 *state, const uint8_t *text, uint8_t *result, size_t size)
{
    uint8_t *s = state->s;
    unsigned i = state->i, j = state->j;
    while (size > 0) {
        uint8_t *at = s + (i + 1) % 256;
        if (i % 4 == 3 && size >= 4) {
            result[0] = text[0] ^ next(s, at, &j);
            result[1] = text[1] ^ next(s, at + 1, &j);
            result[2] = text[2] ^ next(s, at + 2, &j);
            result[3] = text[3] ^ next(s, at + 3, &j);
            i += 4;
            text += 4;
            result += 4;
            size -= 4;
        } else {
            *result++ = *text++ ^ next(s, at, &j);
            i++;
            size--;
        }
    }
    state->i = (uint8_t)i;
    state->j = (uint8_t)j;
    wipe_registers();
}
