/* Conversion between bytes and words, as shared functions: a call is smaller than the loop. */

#ifndef SMALL_H
#define SMALL_H

#include <stdint.h>

void lea_load(uint32_t words[4], const uint8_t bytes[16]);
void lea_store(uint8_t bytes[16], const uint32_t words[4]);

#endif
