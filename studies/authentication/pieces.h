/* A list of byte strings that are hashed as one message. */

#ifndef PIECES_H
#define PIECES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *bytes;
    size_t         size;
} PIECE;

#endif
