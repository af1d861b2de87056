/* Decryption of a block as slices (FIPS 197, section 5.3). */

#include "aes_slices.h"

static void unshift_rows(uint32_t slices[8])
{
    for (unsigned i = 0; i < 8; i++) {
        uint32_t s = slices[i];
        slices[i]  = (s & 0x000f) | (s & 0x0070) << 1 | (s & 0x0080) >> 3 | (s & 0x0300) << 2 |
                    (s & 0x0c00) >> 2 | (s & 0x1000) << 3 | (s & 0xe000) >> 1;
    }
}

/* The slices of the doubled bytes. */
static void twice(uint32_t slices[8])
{
    uint32_t high = slices[7];
    for (unsigned i = 7; i > 0; i--) {
        slices[i] = slices[i - 1];
    }
    slices[0] = high;
    slices[1] ^= high;
    slices[3] ^= high;
    slices[4] ^= high;
}

/* Each byte takes the sum of itself and the byte two rows on, four times, before it is mixed as for
 * encryption: 14 = 2 + 12, 11 = 3 + 8, 13 = 1 + 12, 9 = 1 + 8, and 12 = 4 + 8. */
static void unmix_columns(uint32_t slices[8])
{
    uint32_t far[8], near[8];
    for (unsigned i = 0; i < 8; i++) {
        far[i] = slices[i] ^ aes_row(slices[i], 2);
    }
    twice(far);
    twice(far);
    for (unsigned i = 0; i < 8; i++) {
        slices[i] ^= far[i];
        near[i]   = slices[i] ^ aes_row(slices[i], 1);
        slices[i] = aes_row(slices[i], 1) ^ aes_row(near[i], 2);
    }
    twice(near);
    for (unsigned i = 0; i < 8; i++) {
        slices[i] ^= near[i];
    }
}

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint32_t slices[8];
    AES(slice)(slices, text);
    aes_add(slices, keys->round[AES_ROUNDS]);
    for (unsigned round = AES_ROUNDS; round-- > 0;) {
        unshift_rows(slices);
        AES(restore)(slices);
        aes_add(slices, keys->round[round]);
        if (round > 0) {
            unmix_columns(slices);
        }
    }
    AES(unslice)(result, slices);
}
