/* Counter mode (NIST SP 800-38A, section 6.5). */

#ifndef MODE_H
#define MODE_H

#include "over.h"

/* `iv` is the first counter block, as a number with its highest byte first, and is updated to the next one. */
void OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                     size_t size);
void OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                     size_t size);

#endif
