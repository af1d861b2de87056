/* Key derivation. */

#include "derive.h"

#include "sha1.h"

void derive(uint8_t label, const PIECE *pieces, size_t count, uint8_t key[KEY_BYTES])
{
    SHA1 hash;
    sha1_init(&hash);
    sha1_update(&hash, &label, 1);
    for (size_t i = 0; i < count; i++) {
        sha1_update(&hash, pieces[i].bytes, pieces[i].size);
    }
    sha1_final(&hash, key);
}
