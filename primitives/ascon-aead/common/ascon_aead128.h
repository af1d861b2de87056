/* Ascon-AEAD128 (NIST SP 800-232, section 4). */

#ifndef ASCON_AEAD128_H
#define ASCON_AEAD128_H

#include <stddef.h>
#include <stdint.h>

enum { ASCON_AEAD128_KEY_BYTES = 16, ASCON_AEAD128_NONCE_BYTES = 16, ASCON_AEAD128_TAG_BYTES = 16 };
enum { ASCON_AEAD128_RATE = 16 };

/* The initial value, which starts as S0 (section 4.1, and appendix A), in halves. */
#define ASCON_AEAD128_IV_LOW  0x808c0001u
#define ASCON_AEAD128_IV_HIGH 0x00001000u

/* Encrypts and appends the tag: `result` has `text_size` + 16 bytes. */
void ascon_aead128_seal(const uint8_t key[ASCON_AEAD128_KEY_BYTES],
                        const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                        const uint8_t *text, size_t text_size, uint8_t *result);

/* Decrypts a ciphertext that ends with its tag: `result` has `text_size` - 16 bytes. Returns 0, or -1 and clears the
 * result if the tag is wrong. */
int ascon_aead128_open(const uint8_t key[ASCON_AEAD128_KEY_BYTES],
                       const uint8_t nonce[ASCON_AEAD128_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                       const uint8_t *text, size_t text_size, uint8_t *result);

#endif
