/* What `lean` keeps of a key: the four words of 128 bits that all round keys are made of (section 2.2). */

#ifndef ARIA_KEYS_H
#define ARIA_KEYS_H

#include <stdint.h>

enum { ARIA_ROUNDS = 8 + ARIA_KEY_BYTES / 4 };

typedef struct {
    uint32_t words[4][4];
} ARIA_KEYS;

#endif
