/* Key expansion (FIPS 197, section 5.2), and the keys of the equivalent inverse cipher (section 5.3.5). */

#include "aes_tables.h"
#include "bytes.h"

static uint32_t substituted(uint32_t word)
{
    const uint8_t *sbox = AES(sbox);
    return (uint32_t)sbox[AES_BYTE(word, 0)] | (uint32_t)sbox[AES_BYTE(word, 1)] << 8 |
           (uint32_t)sbox[AES_BYTE(word, 2)] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint32_t *w        = keys->w;
    uint32_t  constant = 1;
    for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
        w[i] = load32_le(key + 4 * i);
    }
    for (uint32_t *end = w + 4 * (AES_ROUNDS + 1);; w += AES_KEY_WORDS) {
        uint32_t word = w[AES_KEY_WORDS - 1];
        word          = substituted(word >> 8 | word << 24) ^ constant;
        constant      = constant << 1 ^ (constant >> 7) * 0x11b;
        for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
            if (w + AES_KEY_WORDS + i == end) {
                return;
            }
            if (AES_KEY_WORDS == 8 && i == 4) {
                word = substituted(word);
            }
            word                 = word ^ w[i];
            w[AES_KEY_WORDS + i] = word;
        }
    }
}
