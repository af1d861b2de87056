/* Encryption of a block (RFC 5794, section 2.3.1). */

#include "aria_crypt.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    uint32_t state[4];
    aria_load(state, text);
    for (unsigned round = 0;; round++) {
        aria_add_round_key(state, keys, round);
        if (round == ARIA_ROUNDS) {
            break;
        }
        aria_substitute(state, round);
        if (round < ARIA_ROUNDS - 1) {
            aria_diffuse_all(state);
        }
    }
    aria_store(state, result);
    return stack_depth();
}

void ARIA(encrypt)(const ARIA_KEYS *keys, const uint8_t text[16], uint8_t result[16])
{
    wipe_below(encrypt(keys, text, result));
}
