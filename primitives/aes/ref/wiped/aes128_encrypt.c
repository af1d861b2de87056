/* Encryption of a block, byte by byte, followed by wiping its residues. The wrapped function stays as it is, since the
 * study publishes its cycles. */

#include "aes128.h"
#include "wiping.h"

INLINED void studied(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES], uint8_t result[AES128_BYTES]);
INLINED void add_round_key(uint8_t state[AES128_BYTES], const uint32_t *key);
INLINED void substitute_and_shift(uint8_t state[AES128_BYTES]);
INLINED void mix_columns(uint8_t state[AES128_BYTES]);
#define aes128_encrypt studied
#include "../aes128_encrypt.c"
#undef aes128_encrypt

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                                  uint8_t result[AES128_BYTES])
{
    studied(keys, text, result);
    return stack_depth();
}

void aes128_encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                    uint8_t result[AES128_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}
