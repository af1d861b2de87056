/* XTEA (R. Needham, D. Wheeler, "Tea extensions", 1997), with functions as somebody else might name them. */

#ifndef XTEA_H
#define XTEA_H

#include <stdint.h>

typedef struct {
    uint32_t k[4];
} XTEA_KEY;

void xtea_set_key(XTEA_KEY *schedule, const uint8_t key[16]);
void xtea_encipher(const XTEA_KEY *schedule, uint8_t block[8]);
void xtea_decipher(const XTEA_KEY *schedule, uint8_t block[8]);

#endif
