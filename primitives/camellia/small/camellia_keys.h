/* The key of `small`: the words of which all subkeys are rotations (RFC 3713, section 2.2). */

#ifndef CAMELLIA_KEYS_H
#define CAMELLIA_KEYS_H

#include "camellia_words.h"

typedef struct {
    uint32_t word[CAMELLIA_WORDS][4];
} CAMELLIA_KEYS;

#endif
