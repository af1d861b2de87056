/* LibTomCrypt's set-up of ChaCha20, in one call. */

#include "tomcrypt.h"

void chacha20_init(chacha_state *state, const unsigned char key[32], const unsigned char nonce[12])
{
    chacha_setup(state, key, 32, 20);
    chacha_ivctr32(state, nonce, 12, 0);
}
