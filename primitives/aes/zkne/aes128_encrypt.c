/* Encryption of a block with the instructions of Zkne, without tables and without secrets in addresses.
 *
 * Source: RISC-V Cryptography Extensions, volume I, version 1.0.1, aes32esmi and aes32esi. */

#include "aes128.h"

#ifdef __riscv

#define STEP(instruction, word, column, byte)                                                          \
    __asm__(instruction " %0, %0, %1, " #byte : "+r"(word) : "r"(column))

#define COLUMN(instruction, word, key, a, b, c, d)                                                     \
    do {                                                                                               \
        (word) = (key);                                                                                \
        STEP(instruction, word, a, 0);                                                                 \
        STEP(instruction, word, b, 1);                                                                 \
        STEP(instruction, word, c, 2);                                                                 \
        STEP(instruction, word, d, 3);                                                                 \
    } while (0)

void aes128_encrypt(const AES128_KEYS *keys, const uint8_t text[AES128_BYTES],
                    uint8_t result[AES128_BYTES])
{
    const uint32_t *key = keys->w;
    uint32_t        a = aes128_load(text) ^ key[0], b = aes128_load(text + 4) ^ key[1];
    uint32_t        c = aes128_load(text + 8) ^ key[2], d = aes128_load(text + 12) ^ key[3];
    uint32_t        e, f, g, h;
    for (unsigned round = 1; round < AES128_ROUNDS; round++) {
        key += 4;
        COLUMN("aes32esmi", e, key[0], a, b, c, d);
        COLUMN("aes32esmi", f, key[1], b, c, d, a);
        COLUMN("aes32esmi", g, key[2], c, d, a, b);
        COLUMN("aes32esmi", h, key[3], d, a, b, c);
        a = e, b = f, c = g, d = h;
    }
    key += 4;
    COLUMN("aes32esi", e, key[0], a, b, c, d);
    COLUMN("aes32esi", f, key[1], b, c, d, a);
    COLUMN("aes32esi", g, key[2], c, d, a, b);
    COLUMN("aes32esi", h, key[3], d, a, b, c);
    aes128_store(result, e);
    aes128_store(result + 4, f);
    aes128_store(result + 8, g);
    aes128_store(result + 12, h);
}

#else

/* Other instruction sets do not have these instructions. */
typedef int not_here;

#endif
