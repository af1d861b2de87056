/* Decryption of a block (RFC 3713, section 2.3.3). */

#include "camellia_crypt.h"
#include "wiping.h"

void CAMELLIA(decrypt)(const CAMELLIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    camellia_crypt(keys->subkey + CAMELLIA_SUBKEYS - 1, -1, text, result);
    wipe_registers();
}
