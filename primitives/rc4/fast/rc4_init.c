/* The key schedule, four indices per iteration. */

#include "rc4.h"
#include "wiping.h"

/* Swaps an entry with the one that a byte of the key selects; returns the index of the latter. */
static inline unsigned exchange(uint8_t s[256], uint8_t *place, unsigned j, unsigned key)
{
    uint8_t byte = *place;
    j            = (j + byte + key) & 255;
    *place       = s[j];
    s[j]         = byte;
    return j;
}

/* The next byte of the key, which repeats cyclically. */
static inline const uint8_t *after(const uint8_t *at, const uint8_t *key, const uint8_t *end)
{
    return at + 1 == end ? key : at + 1;
}

void rc4_init(RC4 *state, const uint8_t *key, size_t key_size)
{
    const uint8_t *at = key, *end = key + key_size;
    unsigned       j = 0;
    for (unsigned i = 0; i < 256; i += 4) {
        state->s[i]     = (uint8_t)i;
        state->s[i + 1] = (uint8_t)(i + 1);
        state->s[i + 2] = (uint8_t)(i + 2);
        state->s[i + 3] = (uint8_t)(i + 3);
    }
    for (uint8_t *place = state->s; place < state->s + 256; place += 4) {
        j  = exchange(state->s, place, j, *at);
        at = after(at, key, end);
        j  = exchange(state->s, place + 1, j, *at);
        at = after(at, key, end);
        j  = exchange(state->s, place + 2, j, *at);
        at = after(at, key, end);
        j  = exchange(state->s, place + 3, j, *at);
        at = after(at, key, end);
    }
    state->i = 0;
    state->j = 0;
    wipe_registers();
}
