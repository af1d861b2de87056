/* Load and store of words of 32 bits, in one access instead of four where the bytes are aligned. */

#ifndef ASCON_WORDS_H
#define ASCON_WORDS_H

#include "bytes.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

typedef uint32_t __attribute__((may_alias)) ASCON_ALIGNED;

static inline int ascon_are_aligned(const uint8_t *a, const uint8_t *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

static inline uint32_t ascon_load_aligned(const uint8_t *at)
{
    return *(const ASCON_ALIGNED *)(const void *)at;
}

static inline void ascon_store_aligned(uint8_t *at, uint32_t word)
{
    *(ASCON_ALIGNED *)(void *)at = word;
}

#else

static inline int ascon_are_aligned(const uint8_t *a, const uint8_t *b)
{
    (void)a;
    (void)b;
    return 0;
}

static inline uint32_t ascon_load_aligned(const uint8_t *at)
{
    return load32_le(at);
}

static inline void ascon_store_aligned(uint8_t *at, uint32_t word)
{
    store32_le(at, word);
}

#endif

#endif
