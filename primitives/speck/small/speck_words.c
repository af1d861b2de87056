/* Conversion between bytes and words, byte by byte. */

#include "small.h"

void speck_load(uint32_t *words, const uint8_t *bytes, unsigned size)
{
    while (size-- > 0) {
        words[size / 4] = words[size / 4] << 8 | bytes[size];
    }
}

void speck_store(uint8_t bytes[8], const uint32_t words[2])
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}
