/* Parts of LEA (Hong and others, WISA 2013, section 2): the constants of the key schedule, and the round without its
 * rotation of the words. */

#ifndef LEA_ROUND_H
#define LEA_ROUND_H

#include "bytes.h"

/* The first four constants; LEA-128 needs only these. */
#define LEA_DELTA_0 0xc3efe9dbU
#define LEA_DELTA_1 0x44626b02U
#define LEA_DELTA_2 0x79e27c8aU
#define LEA_DELTA_3 0x78df30ecU

/* The round. The next block is b, c, d, a; word a is unchanged, the others are updated from d on. */
static inline void lea_round(uint32_t a, uint32_t *b, uint32_t *c, uint32_t *d, const uint32_t key[4])
{
    *d = rotr32((*c ^ key[3]) + (*d ^ key[1]), 3);
    *c = rotr32((*b ^ key[2]) + (*c ^ key[1]), 5);
    *b = rotl32((a ^ key[0]) + (*b ^ key[1]), 9);
}

static inline void lea_unround(uint32_t a, uint32_t *b, uint32_t *c, uint32_t *d, const uint32_t key[4])
{
    *b = (rotr32(*b, 9) - (a ^ key[0])) ^ key[1];
    *c = (rotl32(*c, 5) - (*b ^ key[2])) ^ key[1];
    *d = (rotl32(*d, 3) - (*c ^ key[3])) ^ key[1];
}

#endif
