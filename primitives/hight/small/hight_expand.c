/* Keeps the key of HIGHT, from which each call computes the subkeys again. */

#include "hight.h"
#include "wiping.h"

void hight_expand(HIGHT_KEYS *keys, const uint8_t key[16])
{
    for (unsigned i = 0; i < 16; i++) {
        keys->key[i] = key[i];
    }
    wipe_registers();
}
