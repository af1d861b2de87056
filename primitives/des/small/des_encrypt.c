/* Encryption of a block. */

#include "des_rounds.h"
#include "wiping.h"

void DES_NAME(encrypt)(const DES_KEYS *keys, const uint8_t text[DES_BLOCK], uint8_t result[DES_BLOCK])
{
    wipe_below(DES_NAME(rounds)(keys, 0, 2, text, result));
}
