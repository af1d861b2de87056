/* ARIA (RFC 5794) with keys of ARIA_KEY_BYTES: key expansion, encryption and decryption of a block. */

#ifndef ARIA_H
#define ARIA_H

#include <stdint.h>

/* ARIA(name) adds the prefix of the selected key size to a name. */
#if ARIA_KEY_BYTES == 16
#define ARIA(name) aria128_##name
#elif ARIA_KEY_BYTES == 24
#define ARIA(name) aria192_##name
#elif ARIA_KEY_BYTES == 32
#define ARIA(name) aria256_##name
#else
#error "ARIA_KEY_BYTES is the size of the key: 16, 24 or 32."
#endif

/* The type ARIA_KEYS, which each implementation defines. */
#include "aria_keys.h"

void ARIA(expand)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES]);
/* Only for implementations in which decryption has other round keys. */
void ARIA(expand_decrypt)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES]);
void ARIA(encrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);
void ARIA(decrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);

#endif
