/* Decryption of a block (The RC6 block cipher, section 2.2): each round rotates the words up by one. */

#include "rc6.h"

#include "bytes.h"
#include "wiping.h"

static inline uint32_t product(uint32_t word)
{
    return rotl32(word * (2 * word + 1), 5);
}

void rc6_decrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK])
{
    const uint32_t *s = keys->s + RC6_WORDS;
    uint32_t        x[4];
    for (unsigned i = 0; i < 4; i++) {
        x[i] = load32_le(text + 4 * i);
    }
    x[2] -= *--s;
    x[0] -= *--s;
    while (s > keys->s + 2) {
        uint32_t t = product(x[0]), u = product(x[2]);
        uint32_t last = rotr32(x[1] - *--s, t) ^ u;
        x[1]          = x[0];
        x[0]          = rotr32(x[3] - *--s, u) ^ t;
        x[3]          = x[2];
        x[2]          = last;
    }
    x[3] -= *--s;
    x[1] -= *--s;
    for (unsigned i = 0; i < 4; i++) {
        store32_le(result + 4 * i, x[i]);
    }
    wipe_registers();
}
