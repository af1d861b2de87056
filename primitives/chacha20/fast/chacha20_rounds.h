/* The block function of ChaCha20 with its state in registers (RFC 8439, section 2.3). The including file defines
 * QUARTER_ROUND, and the left rotations that it leaves pending in the second and the fourth row of the state:
 * SECOND_WAITS and FOURTH_WAITS. */

#ifndef CHACHA20_ROUNDS_H
#define CHACHA20_ROUNDS_H

#include "bytes.h"
#include "chacha20_block.h"
#include "wiping.h"

static inline void add_bytes(const uint8_t *text, uint8_t *result, uint32_t key)
{
    result[0] = text[0] ^ (uint8_t)key;
    result[1] = text[1] ^ (uint8_t)(key >> 8);
    result[2] = text[2] ^ (uint8_t)(key >> 16);
    result[3] = text[3] ^ (uint8_t)(key >> 24);
}

static inline void add_word(const uint8_t *text, uint8_t *result, int aligned, uint32_t key)
{
    if (aligned) {
        store_word_le(result, load_word_le(text) ^ key);
    } else {
        add_bytes(text, result, key);
    }
}

#define ADD_WORD(aligned, i, waits)                                                                    \
    add_word(text + 4 * (i), result + 4 * (i), aligned, rotl32(x[i], waits) + input[i])

/* Encrypts four words: applies the pending rotation, adds the initial state, and XORs the sum with the text. */
#define ADD_WORDS(aligned, i, waits)                                                                   \
    do {                                                                                               \
        ADD_WORD(aligned, i, waits);                                                                   \
        ADD_WORD(aligned, (i) + 1, waits);                                                             \
        ADD_WORD(aligned, (i) + 2, waits);                                                             \
        ADD_WORD(aligned, (i) + 3, waits);                                                             \
    } while (0)

uintptr_t chacha20_block(uint32_t input[CHACHA20_WORDS], const uint8_t *text, uint8_t *result)
{
    uint32_t x[CHACHA20_WORDS];
    for (unsigned i = 0; i < 4; i++) {
        x[i]      = input[i];
        x[4 + i]  = rotr32(input[4 + i], SECOND_WAITS);
        x[8 + i]  = input[8 + i];
        x[12 + i] = rotr32(input[12 + i], FOURTH_WAITS);
    }
    for (unsigned round = 0; round < 10; round++) {
        QUARTER_ROUND(x[0], x[4], x[8], x[12]);
        QUARTER_ROUND(x[1], x[5], x[9], x[13]);
        QUARTER_ROUND(x[2], x[6], x[10], x[14]);
        QUARTER_ROUND(x[3], x[7], x[11], x[15]);
        QUARTER_ROUND(x[0], x[5], x[10], x[15]);
        QUARTER_ROUND(x[1], x[6], x[11], x[12]);
        QUARTER_ROUND(x[2], x[7], x[8], x[13]);
        QUARTER_ROUND(x[3], x[4], x[9], x[14]);
    }
    if (has_words(text) & has_words(result)) {
        ADD_WORDS(1, 0, 0);
        ADD_WORDS(1, 4, SECOND_WAITS);
        ADD_WORDS(1, 8, 0);
        ADD_WORDS(1, 12, FOURTH_WAITS);
    } else {
        ADD_WORDS(0, 0, 0);
        ADD_WORDS(0, 4, SECOND_WAITS);
        ADD_WORDS(0, 8, 0);
        ADD_WORDS(0, 12, FOURTH_WAITS);
    }
    input[12]++;
    return stack_depth();
}

#endif
