/* Encryption of a block. */

#include "des_block.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK])
{
    des_block(keys, 0, 2, text, result);
    return stack_depth();
}

void DES_NAME(encrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK])
{
    wipe_below(encrypt(keys, text, result));
}
