/* Decryption of a block (Bogdanov and others, CHES 2007, section 3) with tables. The addresses of its look-ups depend
 * on the key: do not use it on devices with a data cache. */

#include "bytes.h"
#include "permutation.h"
#include "present.h"
#include "tables.h"
#include "wiping.h"

static inline uint32_t half(uint32_t high, uint32_t low)
{
    return present_back[0][low & 0xff] | present_back[1][low >> 16 & 0xff] | present_back[2][high & 0xff] |
           present_back[3][high >> 16 & 0xff];
}

/* The inverse S-box on all nibbles, without the permutation that the tables include. */
static inline uint32_t unsubstituted(uint32_t word)
{
    uint32_t x[4] = {word, word >> 1, word >> 2, word >> 3};
    present_unsubstitute(x);
    return present_gathered(x, 0x11111111);
}

void present_decrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t(*key)[2] = keys->round;
    uint32_t high = load32_be(text), low = load32_be(text + 4);
    present_unpermute(&high, &low);
    high ^= key[PRESENT_ROUNDS][0];
    low ^= key[PRESENT_ROUNDS][1];
    for (unsigned i = PRESENT_ROUNDS - 1; i > 0; i--) {
        uint32_t next = half(high, low) ^ key[i][1];
        high          = half(high >> 8, low >> 8) ^ key[i][0];
        low           = next;
    }
    store32_be(result, unsubstituted(high) ^ key[0][0]);
    store32_be(result + 4, unsubstituted(low) ^ key[0][1]);
    wipe_registers();
}
