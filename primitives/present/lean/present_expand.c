/* Keeps the key, from which each call computes the round keys again. */

#include "schedule.h"
#include "wiping.h"

void present_expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    present_load_key(keys->word, key);
    wipe_registers();
}
