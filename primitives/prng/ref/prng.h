/* A seeded generator for reproducible simulation: SHA-1 in counter mode.
 *
 * Source: MGF1 with SHA-1, RFC 8017, appendix B.2.1, as a stream: block i of the output is SHA-1(seed || i), i as four
 * big-endian bytes from 0 on. The same seed gives the same numbers on every device; it is not a source of entropy,
 * which real keys need. */

#ifndef PRNG_H
#define PRNG_H

#include <stddef.h>
#include <stdint.h>

enum { PRNG_SEED = 20, PRNG_BLOCK = 20 };

typedef struct {
    uint8_t  seed[PRNG_SEED];
    uint8_t  block[PRNG_BLOCK];
    uint32_t counter;
    uint32_t used; /* bytes used of the block */
} PRNG;

void prng_init(PRNG *state, const uint8_t seed[PRNG_SEED]);
void prng_bytes(PRNG *state, uint8_t *bytes, size_t size);
void prng_wipe(PRNG *state);

#endif
