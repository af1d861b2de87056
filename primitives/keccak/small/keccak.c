/* Keccak in little code: the Keccak reference, version 3.0, section 1; FIPS 202, sections 3 and 4. */

#include "bytes.h"
#include "keccak.h"
#include "wiping.h"

enum { PLANE = 10, WORDS = 2 * KECCAK_LANES };

/* A plane stored twice, so that indices beyond its end wrap around. */
typedef uint32_t DOUBLED[2 * PLANE];

/* Adds the parities of two columns to each bit. */
static void theta(uint32_t *words)
{
    DOUBLED c;
    for (unsigned i = 0; i < PLANE; i++) {
        c[i] = c[i + PLANE] = words[i] ^ words[i + 10] ^ words[i + 20] ^ words[i + 30] ^ words[i + 40];
    }
    for (unsigned x = 0; x < PLANE; x++) {
        uint32_t sum = c[x + 8] ^ (c[x + 2] << 1 | c[(x + 2) ^ 1] >> 31);
        for (unsigned i = x; i < WORDS; i += PLANE) {
            words[i] ^= sum;
        }
    }
}

/* The cycle of pi: each lane moves to the next position of the list, starting from lane 1. */
static const uint8_t path[KECCAK_LANES - 1] = {
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
};

/* Rotates the lanes; the offset of step t of the cycle is t (t + 1) / 2. */
static void rho_and_pi(uint32_t *words)
{
    unsigned places = 0;
    uint32_t low = words[2], high = words[3];
    for (unsigned t = 1; t < KECCAK_LANES; t++) {
        places += t;
        uint32_t *lane  = words + 2 * path[t - 1];
        uint64_t  moved = rotl64((uint64_t)high << 32 | low, places);
        low             = lane[0];
        high            = lane[1];
        lane[0]         = (uint32_t)moved;
        lane[1]         = (uint32_t)(moved >> 32);
    }
}

/* Adds to each bit the product of the complement of the next bit and the second next one in its row. */
static void chi(uint32_t *words)
{
    for (uint32_t *plane = words; plane < words + WORDS; plane += PLANE) {
        DOUBLED b;
        for (unsigned i = 0; i < PLANE; i++) {
            b[i] = b[i + PLANE] = plane[i];
        }
        for (unsigned i = 0; i < PLANE; i++) {
            plane[i] ^= ~b[i + 2] & b[i + 4];
        }
    }
}

/* Adds the round constant: bits 2^j - 1 from a linear feedback shift register. */
static uint32_t iota(uint32_t *words, uint32_t bits)
{
    for (unsigned place = 0; place < 64; place = 2 * place + 1) {
        words[place / 32] ^= (bits & 1) << place % 32;
        bits = bits >> 1 ^ (bits & 1) * 0x8e;
    }
    return bits;
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t permute(uint32_t *words)
{
    uint32_t bits = 0x1d;
    for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
        theta(words);
        rho_and_pi(words);
        chi(words);
        bits = iota(words, bits);
    }
    return stack_depth();
}

void KECCAK_NAME(init)(KECCAK *hash)
{
    wipe(hash, sizeof *hash);
}

void KECCAK_NAME(update)(KECCAK *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        hash->words[hash->at / 4] ^= (uint32_t)*message++ << 8 * (hash->at % 4);
        if (++hash->at == KECCAK_RATE) {
            hash->at = 0;
            depth = permute(hash->words);
        }
    }
    wipe_below(depth);
}

void KECCAK_NAME(final)(KECCAK *hash, uint8_t digest[KECCAK_BYTES])
{
    uintptr_t depth = stack_depth();
    digest[0] = KECCAK_PADDING;
    hash->words[KECCAK_RATE / 4 - 1] ^= 0x80000000;
    KECCAK_NAME(update)(hash, digest, 1);
    if (hash->at > 0) {
        depth = permute(hash->words);
    }
    for (unsigned i = 0; i < KECCAK_BYTES; i++) {
        digest[i] = (uint8_t)(hash->words[i / 4] >> 8 * (i % 4));
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
