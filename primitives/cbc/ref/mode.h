/* Cipher block chaining (NIST SP 800-38A, section 6.2). */

#ifndef MODE_H
#define MODE_H

#include "over.h"

/* `iv` is updated for the next part of the message. Return 0, or -1 with nothing written if the size is not a multiple
 * of the block size. */
int OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                    size_t size);
int OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                    size_t size);

#endif
