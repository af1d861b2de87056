/* Encryption of a block (RFC 3713, section 2.3). */

#include "camellia_crypt.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    camellia_crypt(keys->subkey, 1, text, result);
    return stack_depth();
}

void CAMELLIA(encrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(encrypt(keys, text, result));
}
