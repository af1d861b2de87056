/* X25519 with the Montgomery ladder (RFC 7748, section 5). */

#include "x25519.h"

#include "x25519_ladder.h"
#include "wiping.h"

int x25519_shared(const uint8_t secret[X25519_BYTES], const uint8_t peer[X25519_BYTES],
                  uint8_t shared[X25519_BYTES])
{
    FE25519 point;
    fe25519_load(point, peer);
    point[FE25519_WORDS - 1] &= FE25519_TOP;
    int refused = x25519_ladder(secret, point, shared);
    wipe_aligned(point, sizeof point);
    return refused;
}
