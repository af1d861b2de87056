/* Decryption of a block, a round at a time (Hong and others, WISA 2013, section 2.5). */

#include "lea.h"
#include "lea_round.h"
#include "small.h"
#include "wiping.h"

void lea128_decrypt(const LEA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t word[4];
    lea_load(word, text);
    for (unsigned i = 4 * LEA_ROUNDS; i > 0; i -= 4) {
        uint32_t first = word[3];
        word[3] = word[2];
        word[2] = word[1];
        word[1] = word[0];
        word[0] = first;
        lea_unround(first, &word[1], &word[2], &word[3], &keys->word[i - 4]);
    }
    lea_store(result, word);
    wipe_aligned(word, sizeof word);
    wipe_registers();
}
