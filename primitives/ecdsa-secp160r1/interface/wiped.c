/* The operations with a secret, followed by wiping their residues. The arithmetic belongs to studies that publish its
 * cycles, and does not return its stack depth. */

#include "raw.h"
#include "wiping.h"

/* Stack of each operation, the maximum over all cores. */
STACK_ROOM(room_public, 1312)
STACK_ROOM(room_sign, 1632)
STACK_ROOM(room_shared, 1408)

int ecdsa_secp160r1_public(const uint8_t secret[21], uint8_t public[40])
{
    int refused = raw_public(secret, public);
    wipe_below(room_public());
    return refused;
}

int ecdsa_secp160r1_sign(const uint8_t secret[21], const uint8_t *digest, size_t digest_size, const uint8_t nonce[21],
                         uint8_t signature[42])
{
    int refused = raw_sign(secret, digest, digest_size, nonce, signature);
    wipe_below(room_sign());
    return refused;
}

int ecdsa_secp160r1_shared(const uint8_t secret[21], const uint8_t peer[40], uint8_t shared[20])
{
    int refused = raw_shared(secret, peer, shared);
    wipe_below(room_shared());
    return refused;
}
