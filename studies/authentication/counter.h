/* AES-128 in counter mode. */

#ifndef COUNTER_H
#define COUNTER_H

#include <stddef.h>
#include <stdint.h>

enum { COUNTER_BYTES = 16 };

/* Encrypts or decrypts in place; `first` is the initial counter block. */
void counter_crypt(const uint8_t key[COUNTER_BYTES], const uint8_t first[COUNTER_BYTES], uint8_t *text, size_t size);

#endif
