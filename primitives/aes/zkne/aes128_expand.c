/* Key expansion with SubWord by Zkne (FIPS 197, section 5.2). */

#include "aes128.h"

#ifdef __riscv

/* Adds one substituted byte of RotWord to the word that already holds the round constant. */
#define STEP(word, from, byte) __asm__("aes32esi %0, %0, %1, " #byte : "+r"(word) : "r"(from))

void aes128_expand(AES128_KEYS *keys, const uint8_t key[AES128_BYTES])
{
    uint32_t constant = 1;
    for (unsigned i = 0; i < 4; i++) {
        keys->w[i] = aes128_load(key + 4 * i);
    }
    for (unsigned i = 4; i < 4 * (AES128_ROUNDS + 1); i++) {
        uint32_t word = keys->w[i - 1];
        if (i % 4 == 0) {
            uint32_t turned = word >> 8 | word << 24;
            word            = constant;
            STEP(word, turned, 0);
            STEP(word, turned, 1);
            STEP(word, turned, 2);
            STEP(word, turned, 3);
            constant = constant << 1 ^ (constant & 0x80 ? 0x11b : 0);
        }
        keys->w[i] = keys->w[i - 4] ^ word;
    }
}

#else

/* Other instruction sets do not have these instructions. */
typedef int not_here;

#endif
