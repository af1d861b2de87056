/* Key expansion (The RC6 block cipher, section 2.1). */

#include "rc6.h"

#include "bytes.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(RC6_KEYS *keys, const uint8_t key[RC6_KEY_BYTES])
{
    uint32_t l[4], a = 0, b = 0, magic = 0xb7e15163;
    for (unsigned i = 0; i < 4; i++) {
        l[i] = load32_le(key + 4 * i);
    }
    for (unsigned i = 0; i < RC6_WORDS; i++, magic += 0x9e3779b9) {
        keys->s[i] = magic;
    }
    for (unsigned n = 0; n < 3 * RC6_WORDS; n++) {
        uint32_t *s = keys->s + n % RC6_WORDS;
        a = *s = rotl32(*s + a + b, 3);
        b = l[n % 4] = rotl32(l[n % 4] + a + b, a + b);
    }
    return stack_depth();
}

void rc6_expand(RC6_KEYS *keys, const uint8_t key[RC6_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}
