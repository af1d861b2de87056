/* The key schedule as a window of its last words, which moves either way. */

#ifndef AES_SCHEDULE_H
#define AES_SCHEDULE_H

#include "aes.h"
#include "bytes.h"

extern const uint8_t AES(sbox)[256];

/* Turns word i - AES_KEY_WORDS of the schedule into word i, or back: both stand in the same place. */
uintptr_t AES(step)(uint32_t window[AES_KEY_WORDS], unsigned i);

/* Adds a word to a column of the state. */
static inline void aes_add(uint8_t *column, uint32_t word)
{
    store32_le(column, load32_le(column) ^ word);
}

#endif
