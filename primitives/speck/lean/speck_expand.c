/* Keeps the key, from which each call computes the round keys again. */

#include "bytes.h"
#include "speck.h"
#include "wiping.h"

void speck64_128_expand(SPECK_KEYS *keys, const uint8_t key[16])
{
    for (unsigned i = 0; i < 4; i++) {
        keys->word[i] = load32_le(key + 4 * i);
    }
    wipe_registers();
}
