/* The key schedule (Beaulieu and others, 2013, section 4.2): rounds on the key, three words in turn. */

#include "small.h"
#include "speck.h"
#include "speck_round.h"
#include "wiping.h"

void speck64_128_expand(SPECK_KEYS *keys, const uint8_t key[16])
{
    uint32_t word[4];
    speck_load(word, key, sizeof word);
    for (unsigned i = 0; i < SPECK_ROUNDS; i++) {
        uint32_t next = word[1];
        keys->word[i] = word[0];
        speck_round(&next, &word[0], i);
        word[1] = word[2];
        word[2] = word[3];
        word[3] = next;
    }
    wipe_aligned(word, sizeof word);
    wipe_registers();
}
