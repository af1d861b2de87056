/* PyCryptodome's SHA-512 with its state where the caller wants it. */

#include "SHA512.c"

#include "peer_state.h"

_Static_assert(sizeof(hash_state) <= sizeof(PEER_STATE), "the state fits");

void sha512_init(PEER_STATE *state)
{
    sha_init_state((hash_state *)state, 64);
}

void sha512_final(PEER_STATE *state, uint8_t digest[64])
{
    sha_finalize((hash_state *)state, digest, 64);
}
