/* PyCryptodome's Keccak as SHA3-256, with its state where the caller wants it. */

#include "../source/src/keccak.c"

#include "peer_state.h"

_Static_assert(sizeof(keccak_state) <= sizeof(PEER_STATE), "the state fits");

void sha3_256_init(PEER_STATE *state)
{
    keccak_reset((keccak_state *)state);
    keccak_init_state((keccak_state *)state, 64, 24);
}

void sha3_256_final(PEER_STATE *state, uint8_t digest[32])
{
    keccak_squeeze((keccak_state *)state, digest, 32, 0x06);
}
