/* PyCryptodome's ChaCha20; the set-up, which asks a heap for the state, is given the caller's. */

static void *given;

#define calloc(count, size) memset(given, 0, (count) * (size))
#include "../source/src/chacha20.c"
#undef calloc

#include "peer_state.h"

_Static_assert(sizeof(stream_state) <= sizeof(PEER_STATE), "the state fits");

void peer_chacha20_init(PEER_STATE *state, const uint8_t key[32], const uint8_t nonce[12])
{
    stream_state *made;

    given = state;
    chacha20_init(&made, key, 32, nonce, 12);
}
