/* DES and Triple DES with two or three keys (FIPS 46-3). The key size is selected at compile time. */

#ifndef DES_H
#define DES_H

#include <stdint.h>

/* 8 for DES, 24 for Triple DES (encryption, decryption, encryption). */
#ifndef DES_KEY_BYTES
#define DES_KEY_BYTES 8
#endif

/* The function names of a key size, so that both sizes fit one program. */
#if DES_KEY_BYTES == 24
#define DES_NAME(function) des3_##function
#else
#define DES_NAME(function) des_##function
#endif

enum { DES_BLOCK = 8, DES_ROUNDS = 2 * DES_KEY_BYTES };

/* The two halves of the key of each round, in the order of encryption; each implementation defines the bit order. */
typedef struct {
    uint32_t k[2 * DES_ROUNDS];
} DES_KEYS;

/* The parity, which is the lowest bit of each key byte, is ignored. */
void DES_NAME(expand)(DES_KEYS *keys, const uint8_t key[DES_KEY_BYTES]);
void DES_NAME(encrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK]);
void DES_NAME(decrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK]);

#endif
