/* Conversion between bytes and words, as shared functions: a call is smaller than the loop. */

#ifndef SMALL_H
#define SMALL_H

#include <stdint.h>

void speck_load(uint32_t *words, const uint8_t *bytes, unsigned size);
void speck_store(uint8_t bytes[8], const uint32_t words[2]);

#endif
