/* SHA-512 in little memory (FIPS 180-4, sections 5 and 6.4): the message schedule overwrites the block, and the working
 * variables are in registers. */

#include "bytes.h"
#include "settle.h"
#include "sha512.h"
#include "sha512_constants.h"
#include "wiping.h"

#define SUM0(x) (rotr64(x, 28) ^ rotr64(x, 34) ^ rotr64(x, 39))
#define SUM1(x) (rotr64(x, 14) ^ rotr64(x, 18) ^ rotr64(x, 41))
#define SIGMA0(x) (rotr64(x, 1) ^ rotr64(x, 8) ^ (x) >> 7)
#define SIGMA1(x) (rotr64(x, 19) ^ rotr64(x, 61) ^ (x) >> 6)

/* The next sixteen words of the schedule. */
static void schedule(uint64_t w[16])
{
    for (unsigned t = 0; t < 16; t++) {
        w[t] += SIGMA1(w[(t + 14) % 16]) + w[(t + 9) % 16] + SIGMA0(w[(t + 1) % 16]);
    }
}

/* Adds the block to the state (section 6.4.2). Returns its stack depth. */
static NOINLINE uintptr_t compress(uint64_t words[SHA512_STATE + SHA512_BLOCK])
{
    uint64_t a = words[0], b = words[1], c = words[2], d = words[3];
    uint64_t e = words[4], f = words[5], g = words[6], h = words[7];
    for (unsigned t = 0; t < SHA512_ROUNDS; t++) {
        if (t > 0 && t % 16 == 0) {
            schedule(words + SHA512_STATE);
        }
        h += constant[t] + words[SHA512_STATE + t % 16] + SUM1(e) + (g ^ (e & (f ^ g)));
        SETTLE(h, words);
        d += h;
        SETTLE(d, words);
        h += SUM0(a) + ((a & b) | (c & (a | b)));
        SETTLE(h, words);
        uint64_t first = h;
        h = g, g = f, f = e, e = d;
        d = c, c = b, b = a, a = first;
    }
    words[0] += a, words[1] += b, words[2] += c, words[3] += d;
    words[4] += e, words[5] += f, words[6] += g, words[7] += h;
    return stack_depth();
}

void SHA512_NAME(init)(SHA512 *hash)
{
    for (unsigned i = 0; i < SHA512_STATE; i++) {
        hash->words[i] = initial[i];
    }
    hash->size = 0;
}

/* Shifts each byte into its word. */
void SHA512_NAME(update)(SHA512 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        uint64_t *word = &hash->words[SHA512_STATE + hash->size++ / 8 % SHA512_BLOCK];
        *word          = *word << 8 | *message++;
        if (hash->size % SHA512_BLOCK_BYTES == 0) {
            depth = compress(hash->words);
        }
    }
    wipe_below(depth);
}

void SHA512_NAME(final)(SHA512 *hash, uint8_t digest[SHA512_BYTES])
{
    uintptr_t depth = stack_depth();
    unsigned padding = 0;
    digest[0]        = 0x80;
    do {
        SHA512_NAME(update)(hash, digest, 1);
        digest[0] = 0;
        padding++;
    } while (hash->size % SHA512_BLOCK_BYTES != SHA512_BLOCK_BYTES - 16);
    hash->words[SHA512_STATE + SHA512_BLOCK - 2] = 0;
    hash->words[SHA512_STATE + SHA512_BLOCK - 1] = 8 * (hash->size - padding);
    depth = compress(hash->words);
    for (unsigned i = 0; i < SHA512_BYTES; i += 8) {
        store64_be(digest + i, hash->words[i / 8]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
