/* The block function of ChaCha20 in little code (RFC 8439, section 2.3). */

#ifndef CHACHA20_BLOCK_H
#define CHACHA20_BLOCK_H

#include "chacha20.h"

/* Makes the next block of key stream, in words, and counts on. */
uintptr_t chacha20_block(CHACHA20 *state);

#endif
