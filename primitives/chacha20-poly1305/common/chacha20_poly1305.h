/* ChaCha20-Poly1305 (RFC 8439, section 2.8). */

#ifndef CHACHA20_POLY1305_H
#define CHACHA20_POLY1305_H

#include <stddef.h>
#include <stdint.h>

enum { CHACHA20_POLY1305_KEY_BYTES = 32, CHACHA20_POLY1305_NONCE_BYTES = 12 };
enum { CHACHA20_POLY1305_TAG_BYTES = 16 };

/* Encrypts and appends the tag: `result` has `text_size` + 16 bytes. */
void chacha20_poly1305_seal(const uint8_t key[CHACHA20_POLY1305_KEY_BYTES],
                            const uint8_t nonce[CHACHA20_POLY1305_NONCE_BYTES], const uint8_t *ad,
                            size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result);

/* Decrypts a ciphertext that ends with its tag: `result` has `text_size` - 16 bytes. Returns 0, or -1 and clears the
 * result if the tag is wrong. */
int chacha20_poly1305_open(const uint8_t key[CHACHA20_POLY1305_KEY_BYTES],
                           const uint8_t nonce[CHACHA20_POLY1305_NONCE_BYTES], const uint8_t *ad,
                           size_t ad_size, const uint8_t *text, size_t text_size, uint8_t *result);

#endif
