/* The words KL and KR of the key, and KA and, for longer keys, KB, derived from them (RFC 3713, section 2.2). */

#include "bytes.h"
#include "camellia_feistel.h"
#include "camellia_sigma.h"
#include "wiping.h"

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t two_rounds(uint32_t word[4], const uint32_t constant[2][2])
{
    uintptr_t depth = stack_depth();
    for (unsigned i = 0; i < 2; i++) {
        depth = CAMELLIA(feistel)(word, constant[i][0], constant[i][1]);
    }
    return no_tail_call(depth);
}

void CAMELLIA(expand)(CAMELLIA_KEYS *keys, const uint8_t key[CAMELLIA_KEY_BYTES])
{
    uint32_t *ka = keys->word[CAMELLIA_KA];
    for (unsigned i = 0; i < 4; i++) {
        ka[i] = keys->word[CAMELLIA_KL][i] = load32_be(key + 4 * i);
#if CAMELLIA_KEY_BYTES > 16
        /* A 192-bit key is extended by the complement of its last 64 bits. */
        uint32_t more = load32_be(key + (16 + 4 * i) % CAMELLIA_KEY_BYTES);
        if (16 + 4 * i >= CAMELLIA_KEY_BYTES) {
            more = ~load32_be(key + 8 + 4 * i);
        }
        keys->word[CAMELLIA_KR][i] = more;
        ka[i] ^= more;
#endif
    }
    uintptr_t depth = two_rounds(ka, camellia_sigma);
    for (unsigned i = 0; i < 4; i++) {
        ka[i] ^= keys->word[CAMELLIA_KL][i];
    }
    two_rounds(ka, camellia_sigma + 2);
#if CAMELLIA_KEY_BYTES > 16
    uint32_t *kb = keys->word[CAMELLIA_KB];
    for (unsigned i = 0; i < 4; i++) {
        kb[i] = ka[i] ^ keys->word[CAMELLIA_KR][i];
    }
    two_rounds(kb, camellia_sigma + 4);
#endif
    wipe_below(depth);
}
