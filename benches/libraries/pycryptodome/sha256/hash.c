/* PyCryptodome's SHA-256 with its state where the caller wants it. */

#include "SHA256.c"

#include "peer_state.h"

_Static_assert(sizeof(hash_state) <= sizeof(PEER_STATE), "the state fits");

void sha256_init(PEER_STATE *state)
{
    sha_init_state((hash_state *)state, 32);
}

void sha256_final(PEER_STATE *state, uint8_t digest[32])
{
    sha_finalize((hash_state *)state, digest, 32);
}
