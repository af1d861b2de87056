/* GIFT-COFB (specification v1.1, 2021): authenticated encryption with a key, nonce and tag of 16 bytes. */

#ifndef GIFT_COFB_H
#define GIFT_COFB_H

#include <stddef.h>
#include <stdint.h>

/* The result has 16 bytes more than the text: the tag. */
void gift_cofb_seal(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
                    const uint8_t *text, size_t text_size, uint8_t *result);

/* The text ends with the tag, which its size counts. Returns 0, or -1 and a cleared result where the tag is
 * wrong. */
int gift_cofb_open(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
                   const uint8_t *text, size_t text_size, uint8_t *result);

#endif
