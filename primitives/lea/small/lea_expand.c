/* The key schedule (Hong and others, WISA 2013, section 2.3), a word at a time. */

#include "lea.h"
#include "lea_round.h"
#include "small.h"
#include "wiping.h"

void lea128_expand(LEA_KEYS *keys, const uint8_t key[16])
{
    static const uint32_t DELTA[4]  = {LEA_DELTA_0, LEA_DELTA_1, LEA_DELTA_2, LEA_DELTA_3};
    static const uint8_t  PLACES[4] = {1, 3, 6, 11};
    uint32_t              word[4];
    lea_load(word, key);
    for (unsigned i = 0; i < 4 * LEA_ROUNDS; i++) {
        unsigned round = i / 4, at = i % 4;
        word[at] = keys->word[i] = rotl32(word[at] + rotl32(DELTA[round % 4], round + at), PLACES[at]);
    }
    wipe_aligned(word, sizeof word);
    wipe_registers();
}
