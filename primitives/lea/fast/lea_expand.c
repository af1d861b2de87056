/* The key schedule (Hong and others, WISA 2013, section 2.3), four rounds per iteration so that words and constants
 * stay in registers. */

#include "lea.h"
#include "lea_round.h"
#include "wiping.h"

static inline uint32_t *round_keys(uint32_t *at, uint32_t word[4], uint32_t *delta)
{
    word[0] = at[0] = rotl32(word[0] + *delta, 1);
    word[1] = at[1] = rotl32(word[1] + rotl32(*delta, 1), 3);
    word[2] = at[2] = rotl32(word[2] + rotl32(*delta, 2), 6);
    word[3] = at[3] = rotl32(word[3] + rotl32(*delta, 3), 11);
    *delta  = rotl32(*delta, 4);
    return at + 4;
}

void lea128_expand(LEA_KEYS *keys, const uint8_t key[16])
{
    uint32_t *at      = keys->word;
    uint32_t  word[4] = {load32_le(key), load32_le(key + 4), load32_le(key + 8), load32_le(key + 12)};
    uint32_t  a = LEA_DELTA_0, b = rotl32(LEA_DELTA_1, 1);
    uint32_t  c = rotl32(LEA_DELTA_2, 2), d = rotl32(LEA_DELTA_3, 3);
    for (unsigned i = 0; i < LEA_ROUNDS; i += 4) {
        at = round_keys(at, word, &a);
        at = round_keys(at, word, &b);
        at = round_keys(at, word, &c);
        at = round_keys(at, word, &d);
    }
    wipe_registers();
}
