/* The round keys of `fast` as words, highest byte first. */

#ifndef ARIA_KEYS_H
#define ARIA_KEYS_H

#include <stdint.h>

enum { ARIA_ROUNDS = 8 + ARIA_KEY_BYTES / 4 };

typedef struct {
    uint32_t round[ARIA_ROUNDS + 1][4];
} ARIA_KEYS;

#endif
