/* HMAC-SHA-1 over a list of byte strings. */

#ifndef MAC_H
#define MAC_H

#include "pieces.h"

enum { MAC_BYTES = 20 };

void mac(const uint8_t key[MAC_BYTES], const PIECE *pieces, size_t count, uint8_t tag[MAC_BYTES]);

#endif
