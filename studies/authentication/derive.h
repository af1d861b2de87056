/* Key derivation: SHA-1 over a label for the purpose, and byte strings. */

#ifndef DERIVE_H
#define DERIVE_H

#include "pieces.h"
#include "protocol.h"

enum { LABEL_SEALS = 0, LABEL_SESSION = 1, LABEL_CIPHER = 2, LABEL_TAG = 3 };

void derive(uint8_t label, const PIECE *pieces, size_t count, uint8_t key[KEY_BYTES]);

#endif
