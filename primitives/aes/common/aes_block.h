/* Load and store of a block as four words, byte 0 lowest: one access per word where the memory is aligned and the
 * processor is little-endian. */

#ifndef AES_BLOCK_H
#define AES_BLOCK_H

#include "aes.h"
#include "bytes.h"

typedef struct {
    uint32_t a, b, c, d;
} AES_BLOCK;

static inline AES_BLOCK aes_load(const uint8_t text[AES_BYTES])
{
    if (has_words(text)) {
        return (AES_BLOCK){load_word_le(text), load_word_le(text + 4), load_word_le(text + 8), load_word_le(text + 12)};
    }
    return (AES_BLOCK){load32_le(text), load32_le(text + 4), load32_le(text + 8), load32_le(text + 12)};
}

static inline void aes_store(uint8_t result[AES_BYTES], AES_BLOCK block)
{
    if (has_words(result)) {
        store_word_le(result, block.a);
        store_word_le(result + 4, block.b);
        store_word_le(result + 8, block.c);
        store_word_le(result + 12, block.d);
        return;
    }
    store32_le(result, block.a);
    store32_le(result + 4, block.b);
    store32_le(result + 8, block.c);
    store32_le(result + 12, block.d);
}

#endif
