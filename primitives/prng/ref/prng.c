/* A seeded generator for reproducible simulation: SHA-1 in counter mode. */

#include "prng.h"
#include "sha1.h"

static void refill(PRNG *state)
{
    SHA1    hash;
    uint8_t counter[4];
    for (unsigned i = 0; i < 4; i++) {
        counter[i] = (uint8_t)(state->counter >> (24 - 8 * i));
    }
    sha1_init(&hash);
    sha1_update(&hash, state->seed, PRNG_SEED);
    sha1_update(&hash, counter, sizeof counter);
    sha1_final(&hash, state->block);
    state->counter++;
    state->used = 0;
}

void prng_init(PRNG *state, const uint8_t seed[PRNG_SEED])
{
    for (unsigned i = 0; i < PRNG_SEED; i++) {
        state->seed[i] = seed[i];
    }
    state->counter = 0;
    state->used    = PRNG_BLOCK;
}

void prng_bytes(PRNG *state, uint8_t *bytes, size_t size)
{
    for (; size > 0; size--) {
        if (state->used == PRNG_BLOCK) {
            refill(state);
        }
        *bytes++ = state->block[state->used++];
    }
}

void prng_wipe(PRNG *state)
{
    volatile uint8_t *byte = (volatile uint8_t *)state;
    for (size_t i = 0; i < sizeof *state; i++) {
        byte[i] = 0;
    }
}
