/* Skein-256-256 and Skein-512-512 ("The Skein Hash Function Family", version 1.3). SKEIN_BYTES, the size of the digest
 * and of the state, selects one of them. */

#ifndef SKEIN_H
#define SKEIN_H

#include <stddef.h>
#include <stdint.h>

#ifndef SKEIN_BYTES
#define SKEIN_BYTES 64
#endif

#if SKEIN_BYTES == 32
#define SKEIN_NAME(part) skein256_##part
#else
#define SKEIN_NAME(part) skein512_##part
#endif

enum { SKEIN_WORDS = SKEIN_BYTES / 8, SKEIN_ROUNDS = 72 };

/* Block types (table 6 of the paper), and the flags for the first and last block of a type: the upper half of the
 * tweak's second word. */
#define SKEIN_CONFIGURATION ((uint32_t)4 << 24)
#define SKEIN_MESSAGE       ((uint32_t)48 << 24)
#define SKEIN_OUTPUT        ((uint32_t)63 << 24)
#define SKEIN_FIRST         ((uint32_t)1 << 30)
#define SKEIN_LAST          ((uint32_t)1 << 31)

/* The XOR of all words of an extended key (section 3.3.2). */
#define SKEIN_PARITY 0x1bd11bdaa9fc1a22u

typedef struct {
    uint64_t chain[SKEIN_WORDS + 1]; /* the last word is the parity of the others during the compression */
    uint32_t block[2 * SKEIN_WORDS]; /* incomplete block, followed by zeros */
    uint64_t size;                   /* bytes so far */
} SKEIN;

void SKEIN_NAME(init)(SKEIN *hash);
void SKEIN_NAME(update)(SKEIN *hash, const uint8_t *message, size_t size);
void SKEIN_NAME(final)(SKEIN *hash, uint8_t digest[SKEIN_BYTES]);

#endif
