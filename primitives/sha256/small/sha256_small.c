/* SHA-256 (FIPS 180-4) in little code: one round per iteration, with the message schedule after the working
 * variables. */

#include "bytes.h"
#include "sha256.h"
#include "wiping.h"

void sha256_init(SHA256 *hash)
{
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        hash->state[i] = sha256_initial[i];
    }
    hash->size = 0;
}

/* The sum of a word rotated by two amounts, and rotated or shifted by a third. */
static __attribute__((noinline)) uint32_t turned(uint32_t word, unsigned a, unsigned b, uint32_t other)
{
    return rotr32(word, a) ^ rotr32(word, b) ^ other;
}

/* The working variables, followed by the message schedule from its last word to its first: a round moves all of them by
 * one. */
enum { ALL = SHA256_WORDS + 16 };

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t compress(SHA256 *hash)
{
    uint32_t s[ALL];
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        s[i] = hash->state[i];
    }
    for (unsigned i = 0; i < 16; i++) {
        s[ALL - 1 - i] = hash->w[i];
    }
    for (unsigned t = 0; t < 64; t++) {
        uint32_t sum   = s[7] + turned(s[4], 6, 11, rotr32(s[4], 25)) + (s[6] ^ (s[4] & (s[5] ^ s[6])));
        uint32_t first = turned(s[0], 2, 13, rotr32(s[0], 22)) + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        uint32_t word  = turned(s[9], 17, 19, s[9] >> 10) + s[14] + turned(s[22], 7, 18, s[22] >> 3) + s[23];
        sum += sha256_constant[t] + s[23];
        for (unsigned i = ALL - 1; i > 0; i--) {
            s[i] = s[i - 1];
        }
        s[0] = first + sum;
        s[4] += sum;
        s[8] = word;
    }
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        hash->state[i] += s[i];
    }
    return stack_depth();
}

/* Shifts a byte into its word; processes the block when it is full. */
static __attribute__((noinline)) void take(SHA256 *hash, uint8_t byte)
{
    unsigned  at   = (unsigned)hash->size++ % SHA256_BLOCK_BYTES;
    uint32_t *word = &hash->w[at / 4];
    *word          = *word << 8 | byte;
    if (at == SHA256_BLOCK_BYTES - 1) {
        wipe_stack(compress(hash));
    }
}

void sha256_update(SHA256 *hash, const uint8_t *message, size_t size)
{
    while (size-- > 0) {
        take(hash, *message++);
    }
    wipe_registers();
}

void sha256_final(SHA256 *hash, uint8_t digest[SHA256_BYTES])
{
    uint64_t bits = 8 * hash->size;
    uint8_t  next = 0x80;
    do {
        take(hash, next);
        next = 0;
    } while (hash->size % SHA256_BLOCK_BYTES != SHA256_BLOCK_BYTES - 8);
    hash->w[14] = (uint32_t)(bits >> 32);
    hash->w[15] = (uint32_t)bits;
    uintptr_t depth = compress(hash);
    for (unsigned i = 0; i < SHA256_BYTES; i++) {
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
