/* The operations, followed by wiping their residues. */

#include "raw.h"
#include "wiping.h"

/* Stack of each operation, the maximum over all cores. */
STACK_ROOM(room_public, 1600)
STACK_ROOM(room_shared, 1700)

int ecdsa_secp160r1_public(const uint8_t secret[21], uint8_t public[40])
{
    int refused = raw_public(secret, public);
    wipe_below(room_public());
    return refused;
}

int ecdsa_secp160r1_shared(const uint8_t secret[21], const uint8_t peer[40], uint8_t shared[20])
{
    int refused = raw_shared(secret, peer, shared);
    wipe_below(room_shared());
    return refused;
}

int ecdsa_secp160r1_shown(uint32_t flag)
{
    return (int)revealed(opaque(flag));
}
