/* HMAC (FIPS 198-1, RFC 2104) over a hash function. */

#ifndef HMAC_H
#define HMAC_H

#include "over.h"

typedef struct {
    INNER_CONTEXT hash;
    uint8_t       key[INNER_BLOCK]; /* with the outer pad */
} HMAC;

void OUTER_(init)(HMAC *mac, const uint8_t *key, size_t key_size);
void OUTER_(update)(HMAC *mac, const uint8_t *message, size_t size);
void OUTER_(final)(HMAC *mac, uint8_t tag[INNER_DIGEST]);

#endif
