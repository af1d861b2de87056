/* Encryption of a block, all rounds unrolled (Beaulieu and others, 2013, section 4.1). */

#include "speck.h"
#include "speck_round.h"
#include "wiping.h"

#define THREE(i)                                                                                       \
    do {                                                                                               \
        speck_round(&x, &y, key[i]);                                                                   \
        speck_round(&x, &y, key[(i) + 1]);                                                             \
        speck_round(&x, &y, key[(i) + 2]);                                                             \
    } while (0)

void speck64_128_encrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t *key = keys->word;
    uint32_t        x = load32_le(text + 4), y = load32_le(text);
    THREE(0);
    THREE(3);
    THREE(6);
    THREE(9);
    THREE(12);
    THREE(15);
    THREE(18);
    THREE(21);
    THREE(24);
    store32_le(result, y);
    store32_le(result + 4, x);
    wipe_registers();
}
