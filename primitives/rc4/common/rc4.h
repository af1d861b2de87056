/* RC4, without a nonce. The first bytes of its key stream leak the key (RFC 7465): it is for old protocols only. */

#ifndef RC4_H
#define RC4_H

#include <stddef.h>
#include <stdint.h>

/* A permutation of the bytes, and two indices into it. */
typedef struct {
    uint8_t s[256];
    uint8_t i, j;
} RC4;

/* A key has 1 to 256 bytes. */
void rc4_init(RC4 *state, const uint8_t *key, size_t key_size);

/* Continues where the previous call stopped. */
void rc4_crypt(RC4 *state, const uint8_t *text, uint8_t *result, size_t size);

#endif
