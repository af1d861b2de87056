/* Half a round, and the functions F0 and F1 (RFC 6114, sections 5.1 to 5.4). The S-box S0 is composed of 4-bit S-boxes;
 * S1 is a table if CLEFIA_TABLE is defined, otherwise computed. */

#include "clefia_half.h"

#ifdef CLEFIA_TABLE
#include "clefia_quick.h"
#else
#include "clefia_slow.h"
#endif

/* The 4-bit S-boxes: SS0 with its double, the double of SS1 with SS1, and SS2 with SS3, one in each nibble. */
static const uint8_t nibbles[3][16] = {
    {0xef, 0x6c, 0xcb, 0xa7, 0x83, 0x7e, 0x24, 0xfd, 0xb5, 0x12, 0x48, 0x00, 0x5a, 0x91, 0xd9, 0x36},
    {0xc6, 0x84, 0x00, 0x9d, 0x42, 0x5b, 0x7a, 0x63, 0x19, 0xbc, 0xfe, 0xdf, 0x38, 0xe7, 0xa5, 0x21},
    {0xba, 0x82, 0x56, 0xed, 0xa3, 0x64, 0x45, 0xce, 0xf0, 0x77, 0x28, 0x39, 0x1b, 0x0f, 0xdc, 0x91},
};

static uint32_t box0(uint32_t a)
{
    uint32_t both = (uint32_t)nibbles[0][a >> 4] ^ nibbles[1][a & 15];
    return (nibbles[2][both >> 4] & 0xf0u) | (nibbles[2][both & 15] & 0x0fu);
}

/* F0 uses S0 and S1 alternately, from the highest byte on; F1 begins with S1. */
static uint32_t f(unsigned second, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t byte = word >> 24;
        word = word << 8 | ((i ^ second) & 1 ? box1(byte) : box0(byte));
    }
    return multiplied(word, second);
}

void clefia_half(uint32_t state[4], unsigned number, uint32_t key)
{
    unsigned second = number & 1;
    unsigned place  = number / 2 + 2 * second;
    state[(place + 1) & 3] ^= f(second, state[place & 3] ^ key);
}
