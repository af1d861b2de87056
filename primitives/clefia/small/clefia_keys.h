/* The keys of `small`: two for each round, and the key itself for whitening (RFC 6114, section 6.1). */

#ifndef CLEFIA_KEYS_H
#define CLEFIA_KEYS_H

#include <stdint.h>

typedef struct {
    uint32_t round[36];
    uint32_t white[4];
} CLEFIA_KEYS;

#endif
