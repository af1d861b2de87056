/* ARIA (RFC 5794): round keys from a key of ARIA_KEY_BYTES, and a block encrypted and decrypted. */

#ifndef ARIA_H
#define ARIA_H

#include <stdint.h>

/* ARIA(name) is a name of the size that is being compiled. */
#if ARIA_KEY_BYTES == 16
#define ARIA(name) aria128_##name
#elif ARIA_KEY_BYTES == 24
#define ARIA(name) aria192_##name
#elif ARIA_KEY_BYTES == 32
#define ARIA(name) aria256_##name
#else
#error "ARIA_KEY_BYTES is the size of the key: 16, 24 or 32."
#endif

/* The type ARIA_KEYS, which every implementation has of its own. */
#include "aria_keys.h"

void ARIA(expand)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES]);
/* Only where decryption takes round keys of its own. */
void ARIA(expand_decrypt)(ARIA_KEYS *keys, const uint8_t key[ARIA_KEY_BYTES]);
void ARIA(encrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);
void ARIA(decrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);

#endif
