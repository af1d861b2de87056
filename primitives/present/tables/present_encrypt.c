/* Encryption of a block (Bogdanov and others, CHES 2007, section 3) with tables. The addresses of its look-ups depend
 * on the key: do not use it on devices with a data cache.
 *
 * The block's bytes are numbered from the last one; one word holds the even ones and the other the odd ones. The tables
 * produce this order, so that no bit needs to be moved. */

#include "present.h"
#include "tables.h"
#include "wiping.h"

static inline uint32_t half(uint32_t even, uint32_t odd)
{
    return present_forth[0][even & 0xff] | present_forth[1][odd & 0xff] | present_forth[2][even >> 8 & 0xff] |
           present_forth[3][odd >> 8 & 0xff];
}

void present_encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t(*key)[2] = keys->round;
    uint32_t even = (uint32_t)text[1] << 24 | (uint32_t)text[3] << 16 | (uint32_t)text[5] << 8 | text[7];
    uint32_t odd  = (uint32_t)text[0] << 24 | (uint32_t)text[2] << 16 | (uint32_t)text[4] << 8 | text[6];
    even ^= key[0][0];
    odd ^= key[0][1];
    for (unsigned i = 1; i <= PRESENT_ROUNDS; i++) {
        uint32_t next = half(even, odd) ^ key[i][0];
        odd           = half(even >> 16, odd >> 16) ^ key[i][1];
        even          = next;
    }
    for (unsigned i = 8; i > 0; i -= 2) {
        result[i - 1] = (uint8_t)even;
        result[i - 2] = (uint8_t)odd;
        even >>= 8;
        odd >>= 8;
    }
    wipe_registers();
}
