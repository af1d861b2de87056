/* A block as eight words, one for each bit of its bytes. Nothing here looks at what a word holds. */

#ifndef AES_SLICES_H
#define AES_SLICES_H

#include "aes.h"

void AES(slice)(uint32_t slices[8], const uint8_t bytes[AES_BYTES]);
void AES(unslice)(uint8_t bytes[AES_BYTES], const uint32_t slices[8]);

/* SubBytes and its inverse for all bytes of the slices (sections 5.1.1 and 5.3.2). */
void AES(substitute)(uint32_t slices[8]);
void AES(restore)(uint32_t slices[8]);

static inline void aes_add(uint32_t slices[8], const uint16_t key[8])
{
    for (unsigned i = 0; i < 8; i++) {
        slices[i] ^= key[i];
    }
}

/* The bytes so many rows further on, in 16 bits. */
static inline uint32_t aes_row(uint32_t slice, unsigned rows)
{
    return (slice >> 4 * rows | slice << (16 - 4 * rows)) & 0xffff;
}

#endif
