/* Arrays of 16 bytes as arguments of native methods by KNI. */

#ifndef KNI_BLOCKS_H
#define KNI_BLOCKS_H

#include "aes128.h"
#include "kni.h"

/* Throws the exception that Java's code throws for an array that is null or too short, and returns 0. */
static inline int is_block(jobject array)
{
    if (KNI_IsNullHandle(array)) {
        KNI_ThrowNew("java/lang/NullPointerException", 0);
        return 0;
    }
    if (KNI_GetArrayLength(array) < AES128_BYTES) {
        KNI_ThrowNew("java/lang/ArrayIndexOutOfBoundsException", 0);
        return 0;
    }
    return 1;
}

static inline void take_block(jobject array, uint8_t block[AES128_BYTES])
{
    KNI_GetRawArrayRegion(array, 0, AES128_BYTES, (jbyte *)block);
}

static inline void give_block(jobject array, const uint8_t block[AES128_BYTES])
{
    KNI_SetRawArrayRegion(array, 0, AES128_BYTES, (const jbyte *)block);
}

static inline void load_words(uint32_t words[4], jobject array)
{
    uint8_t block[AES128_BYTES];
    take_block(array, block);
    for (unsigned i = 0; i < 4; i++) {
        words[i] = aes128_load(block + 4 * i);
    }
}

static inline void store_words(jobject array, const uint32_t words[4])
{
    uint8_t block[AES128_BYTES];
    for (unsigned i = 0; i < 4; i++) {
        aes128_store(block + 4 * i, words[i]);
    }
    give_block(array, block);
}

#endif
