/* What a byte becomes in a round, for encryption and decryption, in each of four places. */

#ifndef TABLES_H
#define TABLES_H

#include <stdint.h>

extern const uint32_t present_forth[4][256];
extern const uint32_t present_back[4][256];

#endif
