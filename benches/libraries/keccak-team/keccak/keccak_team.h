/* The state of the Keccak Team's code for words of 32 bits. */

#ifndef KECCAK_TEAM_H
#define KECCAK_TEAM_H

#include <stdint.h>

typedef struct {
    uint64_t words[30];
} KECCAK_TEAM;

#endif
