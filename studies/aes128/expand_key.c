/* Key expansion for a coprocessor that expands the key itself: stores only the key, as the first round key. */

#include "aes128.h"

void aes128_expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    for (unsigned i = 0; i < 4; i++) {
        keys->w[i] = aes128_load(key + 4 * i);
    }
}
