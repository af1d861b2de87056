/* Memory access by words, where alignment and byte order allow it. */

#ifndef WORDS_H
#define WORDS_H

#include "bytes.h"

typedef uint32_t __attribute__((may_alias)) WORD;

/* The sixteen little-endian words of a block: the block itself if alignment and byte order match, otherwise a copy in
 * `room`. */
static inline const WORD *words_of(const uint8_t *block, uint32_t room[16])
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if ((uintptr_t)block % sizeof(WORD) == 0) {
        return (const WORD *)(const void *)block;
    }
#endif
    for (unsigned i = 0; i < 16; i++) {
        room[i] = load32_le(block + 4 * i);
    }
    return room;
}

/* Clears memory from `from` to `end`, which is word-aligned, even if nothing reads it afterwards. */
static inline void clear(void *from, const void *end)
{
    volatile uint8_t *byte = from;
    while ((uintptr_t)byte % sizeof(WORD) != 0) {
        *byte++ = 0;
    }
    for (volatile WORD *word = (volatile WORD *)(volatile void *)byte; word != end;) {
        *word++ = 0;
    }
}

#endif
