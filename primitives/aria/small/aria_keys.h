/* The key of `small`: the words W0 to W3 of 128 bits from which all round keys are computed (section 2.2). */

#ifndef ARIA_KEYS_H
#define ARIA_KEYS_H

#include <stdint.h>

enum { ARIA_ROUNDS = 8 + ARIA_KEY_BYTES / 4 };

typedef struct {
    uint8_t w[4][16];
} ARIA_KEYS;

#endif
