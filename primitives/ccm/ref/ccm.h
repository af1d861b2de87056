/* Counter with CBC-MAC (NIST SP 800-38C, RFC 3610), over block ciphers of 128 bits. */

#ifndef CCM_H
#define CCM_H

#include "over.h"

/* The nonce has 7 to 13 bytes, the tag 4 to 16, an even number. Returns 0, or -1 for other sizes and for a text that is
 * too long for the nonce. The tag follows the text. */
int OUTER_(seal)(const uint8_t *key, const uint8_t *nonce, size_t nonce_size, const uint8_t *ad, size_t ad_size,
                 const uint8_t *text, size_t text_size, uint8_t *result, size_t tag_size);
/* `text_size` includes the tag. Returns 0, or -1 and clears the result if the tag is wrong. */
int OUTER_(open)(const uint8_t *key, const uint8_t *nonce, size_t nonce_size, const uint8_t *ad, size_t ad_size,
                 const uint8_t *text, size_t text_size, uint8_t *result, size_t tag_size);

#endif
