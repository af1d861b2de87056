/* GIFT-128 as GIFT-COFB uses it: a block in four words, the first byte highest. */

#ifndef GIFT_H
#define GIFT_H

#include <stdint.h>

/* The expanded key of an implementation: round keys, or the key itself if round keys are computed on the fly. */
typedef struct {
#ifdef GIFT_ROUND_KEYS
    uint32_t round[80];
#else
    const uint8_t *key;
#endif
} GIFT_KEYS;

void gift_expand(GIFT_KEYS *keys, const uint8_t key[16]);

/* Returns its stack depth, for wipe_below(). */
uintptr_t gift_encrypt(const GIFT_KEYS *keys, uint32_t block[4]);

#endif
