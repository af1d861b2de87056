/* Sealing: authenticated encryption of the part of a packet after its plaintext header, by one of three suites. */

#ifndef SEAL_H
#define SEAL_H

#include "protocol.h"

enum { FROM_SERVER = 0, FROM_TERMINAL = 1 };

/* The key, and the direction and number, which are unique for each sealing with one key. */
typedef struct {
    uint32_t       suite;
    const uint8_t *key;
    uint32_t       direction;
    uint32_t       number;
} SEAL;

/* Seals `size` bytes at `packet + at`, in place, and appends the tag, which also authenticates the bytes before
 * them. */
void seal(const SEAL *how, uint8_t *packet, size_t at, size_t size);

/* Unseals in place; returns 1 if the tag is correct. If it is not, the bytes must not be used. */
int unseal(const SEAL *how, uint8_t *packet, size_t at, size_t size);

#endif
