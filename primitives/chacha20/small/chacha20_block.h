/* The block function of ChaCha20 in little code (RFC 8439, section 2.3). */

#ifndef CHACHA20_BLOCK_H
#define CHACHA20_BLOCK_H

#include "chacha20.h"

/* Computes the next block of key stream, as words, and increments the counter. */
uintptr_t chacha20_block(CHACHA20 *state);

#endif
