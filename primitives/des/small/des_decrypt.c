/* Decryption of a block: encryption with the round keys in reverse order. */

#include "des_rounds.h"
#include "wiping.h"

void DES_NAME(decrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK])
{
    wipe_below(DES_NAME(rounds)(keys, 2 * DES_ROUNDS - 2, -2, text, result));
}
