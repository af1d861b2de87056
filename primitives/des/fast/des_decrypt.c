/* Decryption of a block: encryption with the round keys in reverse order. */

#include "des_block.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t decrypt(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK])
{
    des_block(keys, 2 * DES_ROUNDS - 2, -2, text, result);
    return stack_depth();
}

void DES_NAME(decrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK])
{
    wipe_below(decrypt(keys, text, result));
}
