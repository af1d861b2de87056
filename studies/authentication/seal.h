/* Sealing: encryption with a tag, by one of three suites, of what stands behind a packet's open beginning. */

#ifndef SEAL_H
#define SEAL_H

#include "protocol.h"

enum { FROM_SERVER = 0, FROM_TERMINAL = 1 };

/* The key with which, and the place at which: the same direction and number never seal twice under one key. */
typedef struct {
    uint32_t       suite;
    const uint8_t *key;
    uint32_t       direction;
    uint32_t       number;
} SEAL;

/* Seals `size` bytes at `packet + at`, in place, and puts the tag behind them; what is before them is vouched
 * for, too. */
void seal(const SEAL *how, uint8_t *packet, size_t at, size_t size);

/* The way back; returns 1 if the tag is good. If it is not, what is there must not be used. */
int unseal(const SEAL *how, uint8_t *packet, size_t at, size_t size);

#endif
