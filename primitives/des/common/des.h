/* DES and the triple DES of two or three keys (FIPS 46-3). The size of the key is chosen at compile time. */

#ifndef DES_H
#define DES_H

#include <stdint.h>

/* 8 for DES, 24 for DES in the order encryption, decryption, encryption. */
#ifndef DES_KEY_BYTES
#define DES_KEY_BYTES 8
#endif

/* The names of a size's functions, so that both sizes can be in one program. */
#if DES_KEY_BYTES == 24
#define DES_NAME(function) des3_##function
#else
#define DES_NAME(function) des_##function
#endif

enum { DES_BLOCK = 8, DES_ROUNDS = 2 * DES_KEY_BYTES };

/* Of each round the key's halves, in the order of encryption; how their bits lie is for `expand` to say. */
typedef struct {
    uint32_t k[2 * DES_ROUNDS];
} DES_KEYS;

/* The lowest bit of each byte of the key, its parity, is ignored. */
void DES_NAME(expand)(DES_KEYS *keys, const uint8_t key[DES_KEY_BYTES]);
void DES_NAME(encrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK]);
void DES_NAME(decrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK]);

#endif
