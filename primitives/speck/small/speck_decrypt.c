/* Decryption of a block, a round at a time (Beaulieu and others, 2013, section 4.1). */

#include "small.h"
#include "speck.h"
#include "speck_round.h"
#include "wiping.h"

void speck64_128_decrypt(const SPECK_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    uint32_t word[2];
    speck_load(word, text, 8);
    for (unsigned i = SPECK_ROUNDS; i-- > 0;) {
        speck_unround(&word[1], &word[0], keys->word[i]);
    }
    speck_store(result, word);
    wipe_aligned(word, sizeof word);
    wipe_registers();
}
