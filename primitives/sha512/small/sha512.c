/* SHA-512 in little code (FIPS 180-4, sections 5 and 6.4).
 *
 * Message schedule and working variables are one array, which moves on by a word in each round: sixteen words of the
 * schedule, oldest first, then the variables h to a. The context has the same order. */

#include "bytes.h"
#include "sha512.h"
#include "sha512_constants.h"
#include "wiping.h"

enum { WORDS = SHA512_BLOCK + SHA512_STATE };
enum { H = SHA512_BLOCK, G, F, E, D, C, B, A };

/* Three rotations packed in the bytes of a number; the third may be a shift. */
#define ROTATIONS(first, second, third) ((uint32_t)(third) << 16 | (second) << 8 | (first))
#define SHIFT(places) (0x80 | (places))

/* Adds the XOR of the rotated words (section 4.1.3), or the word itself if there are no rotations. */
static NOINLINE uintptr_t add(uint64_t *sum, const uint64_t *word, uint32_t rotations)
{
    uint32_t sum_low = 0, sum_high = 0;
    do {
        uint32_t low = (uint32_t)*word, high = (uint32_t)(*word >> 32);
        uint32_t places = rotations % 32;
        if (rotations & 32) {
            uint32_t was = low;
            low = high, high = was;
        }
        sum_low ^= low >> places | high << 1 << (31 - places);
        sum_high ^= high >> places | (rotations & 0x80 ? 0 : low << 1 << (31 - places));
    } while (rotations >>= 8);
    *sum += (uint64_t)sum_high << 32 | sum_low;
    return stack_depth();
}

__attribute__((noinline)) static void copy(uint64_t *to, const uint64_t *from, unsigned words)
{
    while (words-- > 0) {
        *to++ = *from++;
    }
}

/* Adds the Sigma function of a or e, and Maj of a to c or Ch of e to g. */
static NOINLINE uintptr_t mix(uint64_t *sum, uint64_t *from, uint32_t rotations, uint64_t mask)
{
    mask = from[-2] ^ (mask & (from[-1] ^ from[-2]));
    add(sum, from, rotations);
    return no_tail_call(add(sum, &mask, 0));
}

/* Adds the block to the state (section 6.4.2). Returns its stack depth, as the functions above do that it calls. */
static NOINLINE uintptr_t compress(SHA512 *hash)
{
    uint64_t  v[WORDS + 1];
    uintptr_t depth = stack_depth();
    copy(v, hash->words, WORDS);
    for (const uint64_t *k = constant; k < constant + SHA512_ROUNDS; k++) {
        v[WORDS] = v[H];
        v[H]     = v[0];
        add(&v[WORDS], v, 0);
        add(&v[WORDS], k, 0);
        mix(&v[WORDS], &v[E], ROTATIONS(14, 18, 41), v[E]);
        add(&v[D], &v[WORDS], 0);
        depth = mix(&v[WORDS], &v[A], ROTATIONS(28, 34, 39), ~(v[A] ^ v[B]));
        add(&v[H], &v[1], ROTATIONS(1, 8, SHIFT(7)));
        add(&v[H], &v[14], ROTATIONS(19, 61, SHIFT(6)));
        add(&v[H], &v[9], 0);
        copy(v, v + 1, WORDS);
    }
    for (unsigned i = SHA512_BLOCK; i < WORDS; i++) {
        add(&hash->words[i], &v[i], 0);
    }
    return depth;
}

void SHA512_NAME(init)(SHA512 *hash)
{
    for (unsigned i = 0; i < SHA512_STATE; i++) {
        hash->words[A - i] = initial[i];
    }
    hash->size = 0;
}

void SHA512_NAME(update)(SHA512 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        uint64_t *word = &hash->words[hash->size++ / 8 % SHA512_BLOCK];
        *word          = *word << 8 | *message++;
        if (hash->size % SHA512_BLOCK_BYTES == 0) {
            depth = compress(hash);
        }
    }
    wipe_below(depth);
}

void SHA512_NAME(final)(SHA512 *hash, uint8_t digest[SHA512_BYTES])
{
    uintptr_t depth = stack_depth();
    uint64_t bits = 8 * hash->size;
    digest[0]     = 0x80;
    do {
        SHA512_NAME(update)(hash, digest, 1);
        digest[0] = 0;
    } while (hash->size % SHA512_BLOCK_BYTES != SHA512_BLOCK_BYTES - 16);
    hash->words[SHA512_BLOCK - 2] = 0;
    hash->words[SHA512_BLOCK - 1] = bits;
    depth = compress(hash);
    for (unsigned i = 0; i < SHA512_BYTES; i++) {
        uint64_t *word = &hash->words[A - i / 8];
        digest[i]      = (uint8_t)(*word >> 56);
        *word <<= 8;
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
