/* Encryption of a block as slices (FIPS 197, section 5.1). */

#include "aes_slices.h"

/* ShiftRows: row r is a nibble, and turns by r places. */
static void shift_rows(uint32_t slices[8])
{
    for (unsigned i = 0; i < 8; i++) {
        uint32_t s = slices[i];
        slices[i]  = (s & 0x000f) | (s & 0x00e0) >> 1 | (s & 0x0010) << 3 | (s & 0x0c00) >> 2 |
                    (s & 0x0300) << 2 | (s & 0x8000) >> 3 | (s & 0x7000) << 1;
    }
}

static void mix_columns(uint32_t slices[8])
{
    uint32_t sum[8], made[8];
    for (unsigned i = 0; i < 8; i++) {
        sum[i]  = slices[i] ^ aes_row(slices[i], 1);
        made[i] = aes_row(slices[i], 1) ^ aes_row(sum[i], 2);
    }
    /* The doubled sum of a byte and the next one. */
    for (unsigned i = 0; i < 8; i++) {
        slices[i] = made[i] ^ sum[(i + 7) % 8];
    }
    slices[1] ^= sum[7];
    slices[3] ^= sum[7];
    slices[4] ^= sum[7];
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint32_t slices[8];
    AES(slice)(slices, text);
    for (unsigned round = 0; round < AES_ROUNDS; round++) {
        aes_add(slices, keys->round[round]);
        AES(substitute)(slices);
        shift_rows(slices);
        if (round + 1 < AES_ROUNDS) {
            mix_columns(slices);
        }
    }
    aes_add(slices, keys->round[AES_ROUNDS]);
    AES(unslice)(result, slices);
}
