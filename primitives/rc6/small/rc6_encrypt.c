/* Encryption of a block (The RC6 block cipher, section 2.2): each round rotates the words down by one. */

#include "rc6.h"

#include "bytes.h"
#include "wiping.h"

static inline uint32_t product(uint32_t word)
{
    return rotl32(word * (2 * word + 1), 5);
}

void rc6_encrypt(const RC6_KEYS *keys, const uint8_t text[RC6_BLOCK], uint8_t result[RC6_BLOCK])
{
    const uint32_t *s = keys->s;
    uint32_t        x[4];
    for (unsigned i = 0; i < 4; i++) {
        x[i] = load32_le(text + 4 * i);
    }
    x[1] += *s++;
    x[3] += *s++;
    while (s < keys->s + RC6_WORDS - 2) {
        uint32_t t = product(x[1]), u = product(x[3]);
        uint32_t first = rotl32(x[0] ^ t, u) + *s++;
        x[0]           = x[1];
        x[1]           = rotl32(x[2] ^ u, t) + *s++;
        x[2]           = x[3];
        x[3]           = first;
    }
    x[0] += *s++;
    x[2] += *s;
    for (unsigned i = 0; i < 4; i++) {
        store32_le(result + 4 * i, x[i]);
    }
    wipe_registers();
}
