/* AES (FIPS 197) with keys of 128, 192 or 256 bits, selected by AES_KEY_BYTES.
 *
 * Each implementation defines the layout of its round keys in its aes_keys.h. */

#ifndef AES_H
#define AES_H

#include <stdint.h>

#ifndef AES_KEY_BYTES
#define AES_KEY_BYTES 16
#endif

#if AES_KEY_BYTES == 16
#define AES(name) aes128_##name
#elif AES_KEY_BYTES == 24
#define AES(name) aes192_##name
#else
#define AES(name) aes256_##name
#endif

enum { AES_BYTES = 16, AES_KEY_WORDS = AES_KEY_BYTES / 4, AES_ROUNDS = AES_KEY_WORDS + 6 };

#include "aes_keys.h"

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES]);
void AES(expand_decrypt)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES]);
void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES]);
void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES]);

#endif
