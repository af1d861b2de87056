/* A block as four words, byte 0 lowest: in one access each where memory is aligned and has that order. */

#ifndef AES_BLOCK_H
#define AES_BLOCK_H

#include "aes.h"
#include "bytes.h"

typedef struct {
    uint32_t a, b, c, d;
} AES_BLOCK;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint32_t __attribute__((may_alias)) AES_WORD;
#define AES_HAS_WORDS(at) (((uintptr_t)(at) & 3) == 0)
#else
typedef uint32_t AES_WORD;
#define AES_HAS_WORDS(at) 0
#endif

/* The word at bytes that AES_HAS_WORDS is true of. */
static inline uint32_t aes_word(const uint8_t *at)
{
    return *(const AES_WORD *)(const void *)at;
}

static inline AES_BLOCK aes_load(const uint8_t text[AES_BYTES])
{
    if (AES_HAS_WORDS(text)) {
        return (AES_BLOCK){aes_word(text), aes_word(text + 4), aes_word(text + 8), aes_word(text + 12)};
    }
    return (AES_BLOCK){load32_le(text), load32_le(text + 4), load32_le(text + 8), load32_le(text + 12)};
}

static inline void aes_store(uint8_t result[AES_BYTES], AES_BLOCK block)
{
    if (AES_HAS_WORDS(result)) {
        AES_WORD *at = (AES_WORD *)(void *)result;
        at[0] = block.a, at[1] = block.b, at[2] = block.c, at[3] = block.d;
        return;
    }
    store32_le(result, block.a);
    store32_le(result + 4, block.b);
    store32_le(result + 8, block.c);
    store32_le(result + 12, block.d);
}

#endif
