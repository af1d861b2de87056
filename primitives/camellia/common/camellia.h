/* Camellia (RFC 3713) with keys of CAMELLIA_KEY_BYTES: key expansion, encryption and decryption of a block. */

#ifndef CAMELLIA_H
#define CAMELLIA_H

#include <stdint.h>

/* CAMELLIA(name) adds the prefix of the selected key size to a name. */
#if CAMELLIA_KEY_BYTES == 16
#define CAMELLIA(name) camellia128_##name
#elif CAMELLIA_KEY_BYTES == 24
#define CAMELLIA(name) camellia192_##name
#elif CAMELLIA_KEY_BYTES == 32
#define CAMELLIA(name) camellia256_##name
#else
#error "CAMELLIA_KEY_BYTES is the size of the key: 16, 24 or 32."
#endif

/* The type CAMELLIA_KEYS, which each implementation defines. */
#include "camellia_keys.h"

void CAMELLIA(expand)(CAMELLIA_KEYS *keys, const uint8_t key[CAMELLIA_KEY_BYTES]);
void CAMELLIA(encrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);
void CAMELLIA(decrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16]);

#endif
