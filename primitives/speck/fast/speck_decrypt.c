/* Decryption of a block, all rounds unrolled (Beaulieu and others, 2013, section 4.1). */

#include "speck.h"
#include "speck_round.h"
#include "wiping.h"

#define THREE(i)                                                                                       \
    do {                                                                                               \
        speck_unround(&x, &y, key[(i) + 2]);                                                           \
        speck_unround(&x, &y, key[(i) + 1]);                                                           \
        speck_unround(&x, &y, key[i]);                                                                 \
    } while (0)

void speck64_128_decrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t *key = keys->word;
    uint32_t        x = load32_le(text + 4), y = load32_le(text);
    THREE(24);
    THREE(21);
    THREE(18);
    THREE(15);
    THREE(12);
    THREE(9);
    THREE(6);
    THREE(3);
    THREE(0);
    store32_le(result, y);
    store32_le(result + 4, x);
    wipe_registers();
}
