/* Key expansion (FIPS 197, section 5.2), with the substitution of four bytes as slices. */

#include "aes_slices.h"
#include "bytes.h"

static uint32_t substituted(uint32_t word)
{
    uint32_t slices[8];
    uint8_t  bytes[AES_BYTES] = {0};
    store32_le(bytes, word);
    AES(slice)(slices, bytes);
    AES(substitute)(slices);
    AES(unslice)(bytes, slices);
    return load32_le(bytes);
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint32_t w[4 * (AES_ROUNDS + 1)], constant = 1;
    for (unsigned i = 0; i < AES_KEY_WORDS; i++) {
        w[i] = load32_le(key + 4 * i);
    }
    for (unsigned i = AES_KEY_WORDS; i < 4 * (AES_ROUNDS + 1); i++) {
        uint32_t word = w[i - 1];
        if (i % AES_KEY_WORDS == 0) {
            word     = substituted(word >> 8 | word << 24) ^ constant;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (AES_KEY_WORDS == 8 && i % 8 == 4) {
            word = substituted(word);
        }
        w[i] = w[i - AES_KEY_WORDS] ^ word;
    }
    for (unsigned round = 0; round <= AES_ROUNDS; round++) {
        uint8_t  bytes[AES_BYTES];
        uint32_t slices[8];
        for (unsigned i = 0; i < 4; i++) {
            store32_le(bytes + 4 * i, w[4 * round + i]);
        }
        AES(slice)(slices, bytes);
        for (unsigned i = 0; i < 8; i++) {
            keys->round[round][i] = (uint16_t)slices[i];
        }
    }
    wipe(w, sizeof w);
}
