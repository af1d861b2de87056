/* The round keys of the equivalent inverse cipher (FIPS 197, section 5.3.5). */

#include "aes_tables.h"

static uint32_t unmixed(uint32_t word)
{
    const uint8_t *sbox                = AES(sbox);
    const uint32_t(*const table)[256] = AES(backward);
    return table[0][sbox[AES_BYTE(word, 0)]] ^ table[1][sbox[AES_BYTE(word, 1)]] ^
           table[2][sbox[AES_BYTE(word, 2)]] ^ table[3][sbox[word >> 24]];
}

void AES(expand_decrypt)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    AES(expand)(keys, key);
    for (unsigned i = 4; i < 4 * AES_ROUNDS; i++) {
        keys->w[i] = unmixed(keys->w[i]);
    }
}
