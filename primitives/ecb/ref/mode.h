/* Electronic codebook: each block by itself (NIST SP 800-38A, section 6.1). */

#ifndef MODE_H
#define MODE_H

#include "over.h"

/* There is no vector to begin with. -1, with nothing written, for a size that is no whole number of blocks,
 * otherwise 0. */
int OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t *iv, const uint8_t *text, uint8_t *result, size_t size);
int OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t *iv, const uint8_t *text, uint8_t *result, size_t size);

#endif
