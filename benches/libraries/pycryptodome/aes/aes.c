/* PyCryptodome's AES on blocks. */

#include "AES.c"

#include "peer_state.h"

_Static_assert(sizeof(struct block_state) <= sizeof(PEER_STATE), "the state fits");

void aes128_expand(PEER_STATE *keys, const uint8_t key[16])
{
    block_init((struct block_state *)keys, key, 16);
}

void aes128_encrypt(PEER_STATE *keys, const uint8_t text[16], uint8_t result[16])
{
    block_encrypt((struct block_state *)keys, text, result);
}

void aes128_decrypt(PEER_STATE *keys, const uint8_t text[16], uint8_t result[16])
{
    block_decrypt((struct block_state *)keys, text, result);
}
