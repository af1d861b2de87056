/* Public keys of X25519 with the Montgomery ladder. */

#include "x25519.h"

#include "x25519_ladder.h"

void x25519_public(const uint8_t secret[X25519_BYTES], uint8_t public[X25519_BYTES])
{
    static const FE25519 base = {9};
    (void)x25519_ladder(secret, base, public);
}
