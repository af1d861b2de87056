/* The subkeys of HIGHT (ISO/IEC 18033-3), four at a time: bytes of the key, rotated after every eight subkeys, plus
 * 7-bit constants. */

#include "bytes.h"
#include "hight.h"
#include "wiping.h"

/* The four constants of a round: 7-bit windows, from the first four bits on, of the sequence s(i+7) = s(i+3) + s(i), of
 * which `bits` holds ten bits. */
static inline uint32_t constants(uint32_t bits)
{
    return (bits & 0x7f) | (bits << 7 & 0x7f00) | (bits << 14 & 0x7f0000) | (bits << 21 & 0x7f000000);
}

/* Adds four bytes in parallel, where those of b are below 128. */
static inline uint32_t bytes_sum(uint32_t a, uint32_t b)
{
    return ((a & 0x7f7f7f7f) + b) ^ (a & 0x80808080);
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t expand(HIGHT_KEYS *keys, const uint8_t key[16])
{
    uint32_t part[4] = {load32_be(key + 12), load32_be(key + 8), load32_be(key + 4), load32_be(key)};
    uint32_t bits    = 0xda;
    keys->whitening[0] = part[3];
    keys->whitening[1] = part[0];
    for (unsigned i = 0; i < HIGHT_ROUNDS; i += 4) {
        for (unsigned j = 0; j < 4; j++) {
            keys->round[i + j] = bytes_sum(part[j], constants(bits));
            bits               = bits >> 4 | ((bits ^ bits << 3) & 0x3c0);
        }
        for (unsigned j = 0; j < 4; j += 2) {
            uint32_t low = part[j], high = part[j + 1];
            part[j]      = low << 8 | high >> 24;
            part[j + 1]  = high << 8 | low >> 24;
        }
    }
    return stack_depth();
}

void hight_expand(HIGHT_KEYS *keys, const uint8_t key[16])
{
    wipe_below(expand(keys, key));
}
