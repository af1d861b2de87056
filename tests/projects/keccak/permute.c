/* The permutation of lib/KeccakP-1600-opt64.c by a coprocessor. The package keeps six lanes complemented. */

#include "keccak_registers.h"

#include "cocrypt/device.h"

void KeccakP1600_Permute_24rounds(void *state);

static void complement(uint32_t words[50])
{
    static const unsigned char lanes[6] = { 1, 2, 8, 12, 17, 20 };
    for (int at = 0; at < 6; at++) {
        words[2 * lanes[at]] ^= ~0u;
        words[2 * lanes[at] + 1] ^= ~0u;
    }
}

void KeccakP1600_Permute_24rounds(void *state)
{
    uint32_t *words = state;
    complement(words);
    keccak_write_control(COCRYPT_COPROCESSOR, KECCAK_CONTROL_CLEAR);
    keccak_run(COCRYPT_COPROCESSOR, words, words, KECCAK_CONTROL_START);
    complement(words);
}
