/* The subkeys of `fast`, in the order of encryption, highest word first. */

#ifndef CAMELLIA_KEYS_H
#define CAMELLIA_KEYS_H

#include "camellia_words.h"

typedef struct {
    uint32_t subkey[CAMELLIA_SUBKEYS][2];
} CAMELLIA_KEYS;

#endif
