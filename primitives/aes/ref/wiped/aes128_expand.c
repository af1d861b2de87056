/* Key expansion, and what it leaves wiped. The function itself is the study's, whose cycles are figures. */

#include "aes128.h"
#include "wiping.h"

INLINED void studied(AES128_KEYS *keys, const uint8_t key[AES128_BYTES]);
INLINED uint32_t substituted(uint32_t word);
#define aes128_expand studied
#include "../aes128_expand.c"
#undef aes128_expand

/* Tells how deep the stack went. */
static NOINLINE uintptr_t expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    studied(keys, key);
    return stack_depth();
}

void aes128_expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    wipe_below(expand(keys, key));
}
