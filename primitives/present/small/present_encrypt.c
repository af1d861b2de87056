/* Encryption of a block (Bogdanov and others, CHES 2007, section 3). */

#include "small.h"

void present_encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    present_run(keys->round, text, result, 0);
}
