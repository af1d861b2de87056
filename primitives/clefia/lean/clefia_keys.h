/* The key of `lean`: the key itself, and L; both give each round key (RFC 6114, section 6.2). */

#ifndef CLEFIA_KEYS_H
#define CLEFIA_KEYS_H

#include <stdint.h>

typedef struct {
    uint32_t key[4];
    uint32_t l[4];
} CLEFIA_KEYS;

#endif
