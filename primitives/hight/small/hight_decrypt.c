/* Decryption of a block (ISO/IEC 18033-3, HIGHT). */

#include "small.h"

void hight_decrypt(const HIGHT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    hight_run(keys, text, result, ~0U);
}
