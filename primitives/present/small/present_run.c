/* Encryption and decryption of a block (Bogdanov and others, CHES 2007, section 3). */

#include "small.h"
#include "wiping.h"

/* Substitutes the nibbles from the first on, and appends the four bits of each to the four quarters. */
static void substitute_and_permute(uint8_t to[8], const uint8_t from[8])
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned bits = present_sbox[from[i / 2] >> (4 - 4 * (i % 2)) & 15];
        for (unsigned quarter = i / 8; quarter < 8; quarter += 2) {
            to[quarter] = (uint8_t)((unsigned)to[quarter] << 1 | (bits >> 3 & 1));
            bits <<= 1;
        }
    }
}

/* Takes the four bits of a nibble from the beginnings of the four quarters, and applies the inverse S-box. */
static void permute_and_substitute(uint8_t to[8], uint8_t from[8])
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned bits = 0;
        for (unsigned quarter = i / 8; quarter < 8; quarter += 2) {
            bits          = bits << 1 | from[quarter] >> 7;
            from[quarter] = (uint8_t)(from[quarter] << 1);
        }
        to[i / 2] = (uint8_t)(to[i / 2] << 4 | present_sbox[bits] >> 4);
    }
}

void present_run(const uint8_t *key, const uint8_t text[8], uint8_t result[8], unsigned back)
{
    uint8_t block[8];
    for (unsigned left = PRESENT_ROUNDS;; left--) {
        uint8_t *to = left > 0 ? block : result;
        for (unsigned i = 0; i < 8; i++) {
            to[i] = text[i] ^ key[i];
        }
        if (left == 0) {
            break;
        }
        if (back) {
            permute_and_substitute(result, block);
            key -= 8;
        } else {
            substitute_and_permute(result, block);
            key += 8;
        }
        text = result;
    }
    wipe(block, sizeof block);
    wipe_registers();
}
