/* The key schedule as a window of its last words, which moves forward or backward. */

#ifndef AES_SCHEDULE_H
#define AES_SCHEDULE_H

#include "aes.h"
#include "bytes.h"

extern const uint8_t AES(sbox)[256];

/* Replaces word i - AES_KEY_WORDS of the schedule by word i, or word i by word i - AES_KEY_WORDS: both have the same
 * index in the window. */
uintptr_t AES(step)(uint32_t window[AES_KEY_WORDS], unsigned i);

/* Adds a word to a column of the state. */
static inline void aes_add(uint8_t *column, uint32_t word)
{
    store32_le(column, load32_le(column) ^ word);
}

#endif
