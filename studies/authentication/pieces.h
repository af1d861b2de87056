/* What is hashed in pieces that stand in different places. */

#ifndef PIECES_H
#define PIECES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *bytes;
    size_t         size;
} PIECE;

#endif
