/* Decryption of a block (RFC 5794, section 2.3.2): encryption with the round keys in reverse order, all but the first
 * and last one diffused. Adding a round key before the diffusion layer is equivalent to adding the diffused one after
 * it. */

#include "aria_crypt.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t state[4];
    aria_load(state, text);
    for (unsigned round = ARIA_ROUNDS;; round--) {
        aria_add_round_key(state, keys, round);
        if (round == 0) {
            break;
        }
        if (round < ARIA_ROUNDS) {
            aria_diffuse_all(state);
        }
        aria_substitute(state, round);
    }
    aria_store(state, result);
    return stack_depth();
}

void ARIA(decrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(decrypt(keys, text, result));
}
