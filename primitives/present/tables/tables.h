/* Tables of a round on a byte, for encryption and decryption, in each of four byte positions. */

#ifndef TABLES_H
#define TABLES_H

#include <stdint.h>

extern const uint32_t present_forth[4][256];
extern const uint32_t present_back[4][256];

#endif
