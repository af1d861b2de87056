/* Grøstl-256 and Grøstl-512 ("Grøstl - a SHA-3 candidate", version 2.0, of the final round). GROESTL_BYTES, the size of
 * the digest, selects one of them. */

#ifndef GROESTL_H
#define GROESTL_H

#include <stddef.h>
#include <stdint.h>

#ifndef GROESTL_BYTES
#define GROESTL_BYTES 32
#endif

#if GROESTL_BYTES == 32
#define GROESTL_NAME(part) groestl256_##part
#else
#define GROESTL_NAME(part) groestl512_##part
#endif

/* A state has eight rows; its bytes are numbered down the columns. */
enum {
    GROESTL_BLOCK   = 2 * GROESTL_BYTES,
    GROESTL_COLUMNS = GROESTL_BLOCK / 8,
    GROESTL_ROUNDS  = GROESTL_BYTES == 32 ? 10 : 14,
};

#include "groestl_context.h"

void GROESTL_NAME(init)(GROESTL *hash);
void GROESTL_NAME(update)(GROESTL *hash, const uint8_t *message, size_t size);
void GROESTL_NAME(final)(GROESTL *hash, uint8_t digest[GROESTL_BYTES]);

#endif
