/* CLEFIA (RFC 6114) with a 128-bit key: key expansion, encryption and decryption of a block. */

#ifndef CLEFIA_H
#define CLEFIA_H

#include <stdint.h>

/* The type CLEFIA_KEYS, which each implementation defines. */
#include "clefia_keys.h"

enum { CLEFIA_ROUNDS = 18 };

void clefia128_expand(CLEFIA_KEYS *keys, const uint8_t key[16]);
void clefia128_encrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);
void clefia128_decrypt(const CLEFIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);

#endif
