/* Cipher block chaining (NIST SP 800-38A, section 6.2). */

#ifndef MODE_H
#define MODE_H

#include "over.h"

/* `size` is a whole number of blocks; `iv` becomes what the next text goes on with. */
void OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                     size_t size);
void OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                     size_t size);

#endif
