/* Cipher block chaining (NIST SP 800-38A, section 6.2). */

#ifndef MODE_H
#define MODE_H

#include "over.h"

/* `iv` becomes what the next text goes on with. -1, with nothing written, for a size that is no whole number of
 * blocks, otherwise 0. */
int OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                    size_t size);
int OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                    size_t size);

#endif
