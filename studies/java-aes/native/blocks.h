/* Arrays of 16 bytes as arguments of native methods. */

#ifndef BLOCKS_H
#define BLOCKS_H

#include "aes128.h"
#include "java.h"

/* Throws the exception that Java's code throws for an array that is null or too short, and returns 0. */
static inline int is_block(jobject array)
{
    if (!array) {
        java_throw(JAVA_NULL_POINTER);
        return 0;
    }
    if (java_length(array) < AES128_BYTES) {
        java_throw(JAVA_ARRAY_INDEX);
        return 0;
    }
    return 1;
}

static inline uint8_t *block_of(jobject array)
{
    return (uint8_t *)java_elements(array);
}

static inline void load_block(uint32_t words[4], jobject array)
{
    for (unsigned i = 0; i < 4; i++) {
        words[i] = aes128_load(block_of(array) + 4 * i);
    }
}

static inline void store_block(jobject array, const uint32_t words[4])
{
    for (unsigned i = 0; i < 4; i++) {
        aes128_store(block_of(array) + 4 * i, words[i]);
    }
}

#endif
