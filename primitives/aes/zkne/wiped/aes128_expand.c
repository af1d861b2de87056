/* Key expansion with SubWord by Zkne, followed by wiping its residues. The wrapped function stays as it is, since the
 * study publishes its cycles. */

#include "aes128.h"
#include "wiping.h"

#ifdef __riscv

INLINED void studied(AES128_KEYS *keys, const uint8_t key[AES128_BYTES]);
#define aes128_expand studied
#include "../aes128_expand.c"
#undef aes128_expand

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    studied(keys, key);
    return stack_depth();
}

void aes128_expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    wipe_below(expand(keys, key));
}

#endif
