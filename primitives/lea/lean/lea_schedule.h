/* A round of the key schedule and its inverse (Hong and others, WISA 2013, section 2.3). */

#ifndef LEA_SCHEDULE_H
#define LEA_SCHEDULE_H

#include "lea_round.h"

/* The constant of a round, rotated for its first word. */
static inline uint32_t lea_delta(unsigned round)
{
    static const uint32_t DELTA[4] = {LEA_DELTA_0, LEA_DELTA_1, LEA_DELTA_2, LEA_DELTA_3};
    return rotl32(DELTA[round % 4], round);
}

static inline void lea_forwards(uint32_t key[4], unsigned round)
{
    uint32_t delta = lea_delta(round);
    key[0]         = rotl32(key[0] + delta, 1);
    key[1]         = rotl32(key[1] + rotl32(delta, 1), 3);
    key[2]         = rotl32(key[2] + rotl32(delta, 2), 6);
    key[3]         = rotl32(key[3] + rotl32(delta, 3), 11);
}

static inline void lea_backwards(uint32_t key[4], unsigned round)
{
    uint32_t delta = lea_delta(round);
    key[0]         = rotr32(key[0], 1) - delta;
    key[1]         = rotr32(key[1], 3) - rotl32(delta, 1);
    key[2]         = rotr32(key[2], 6) - rotl32(delta, 2);
    key[3]         = rotr32(key[3], 11) - rotl32(delta, 3);
}

#endif
