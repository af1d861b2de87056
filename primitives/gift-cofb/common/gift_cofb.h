/* GIFT-COFB (specification v1.1, 2021): authenticated encryption with a key, nonce and tag of 16 bytes. */

#ifndef GIFT_COFB_H
#define GIFT_COFB_H

#include <stddef.h>
#include <stdint.h>

/* Encrypts and appends the tag: `result` has `text_size` + 16 bytes. */
void gift_cofb_seal(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
                    const uint8_t *text, size_t text_size, uint8_t *result);

/* Decrypts a ciphertext that ends with its tag; `text_size` includes the tag. Returns 0, or -1 and clears the result if
 * the tag is wrong. */
int gift_cofb_open(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
                   const uint8_t *text, size_t text_size, uint8_t *result);

#endif
