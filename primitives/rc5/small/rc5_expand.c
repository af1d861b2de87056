/* Key expansion (RFC 2040, section 4). */

#include "rc5.h"

#include "bytes.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(RC5_KEYS *keys, const uint8_t key[RC5_KEY_BYTES])
{
    uint32_t l[4], a = 0, b = 0, magic = 0xb7e15163;
    for (unsigned i = 0; i < 4; i++) {
        l[i] = load32_le(key + 4 * i);
    }
    for (unsigned i = 0; i < RC5_WORDS; i++, magic += 0x9e3779b9) {
        keys->s[i] = magic;
    }
    for (unsigned n = 0; n < 3 * RC5_WORDS; n++) {
        uint32_t *s = keys->s + n % RC5_WORDS;
        a = *s = rotl32(*s + a + b, 3);
        b = l[n % 4] = rotl32(l[n % 4] + a + b, a + b);
    }
    return stack_depth();
}

void rc5_expand(RC5_KEYS *keys, const uint8_t key[RC5_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
