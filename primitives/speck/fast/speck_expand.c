/* The key schedule (Beaulieu and others, 2013, section 4.2), unrolled so that its three words stay in their
 * registers. */

#include "speck.h"
#include "speck_round.h"
#include "wiping.h"

void speck64_128_expand(SPECK_KEYS *keys, const uint8_t key[16])
{
    uint32_t *at = keys->word;
    uint32_t  k = load32_le(key), a = load32_le(key + 4), b = load32_le(key + 8), c = load32_le(key + 12);
    for (unsigned i = 0; i < SPECK_ROUNDS; i += 3) {
        *at++ = k;
        speck_round(&a, &k, i);
        *at++ = k;
        speck_round(&b, &k, i + 1);
        *at++ = k;
        speck_round(&c, &k, i + 2);
    }
    wipe_registers();
}
