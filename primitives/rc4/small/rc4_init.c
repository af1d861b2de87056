/* The key schedule (RFC 6229, section 1, names its sources). */

#include "rc4.h"
#include "wiping.h"

void rc4_init(RC4 *state, const uint8_t *key, size_t key_size)
{
    for (unsigned i = 0; i < 256; i++) {
        state->s[i] = (uint8_t)i;
    }
    size_t   at = 0;
    unsigned j  = 0;
    for (unsigned i = 0; i < 256; i++) {
        uint8_t byte = state->s[i];
        j            = (j + byte + key[at]) % 256;
        state->s[i]  = state->s[j];
        state->s[j]  = byte;
        at           = at + 1 == key_size ? 0 : at + 1;
    }
    state->i = 0;
    state->j = 0;
    wipe_registers();
}
