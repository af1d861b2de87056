/* Encryption of a block, a round at a time (Hong and others, WISA 2013, section 2.4). */

#include "lea.h"
#include "lea_round.h"
#include "small.h"
#include "wiping.h"

void lea128_encrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t word[4];
    lea_load(word, text);
    for (unsigned i = 0; i < 4 * LEA_ROUNDS; i += 4) {
        uint32_t first = word[0];
        lea_round(first, &word[1], &word[2], &word[3], &keys->word[i]);
        word[0] = word[1];
        word[1] = word[2];
        word[2] = word[3];
        word[3] = first;
    }
    lea_store(result, word);
    wipe_aligned(word, sizeof word);
    wipe_registers();
}
