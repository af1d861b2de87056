/* Conversion between bytes and words, byte by byte. */

#include "small.h"

void lea_load(uint32_t words[4], const uint8_t bytes[16])
{
    for (unsigned i = 16; i-- > 0;) {
        words[i / 4] = words[i / 4] << 8 | bytes[i];
    }
}

void lea_store(uint8_t bytes[16], const uint32_t words[4])
{
    for (unsigned i = 0; i < 16; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}
