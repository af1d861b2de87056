/* Adds a block to the checksum and the hash (RFC 1319, sections 3.2 and 3.4). */

#include "md2.h"
#include "wiping.h"

uintptr_t md2_compress(MD2 *hash)
{
    unsigned t    = 0;
    unsigned last = hash->checksum[MD2_BLOCK - 1];
    for (unsigned i = 0; i < MD2_BLOCK; i++) {
        uint8_t byte                    = hash->state[MD2_BLOCK + i];
        hash->state[2 * MD2_BLOCK + i]  = byte ^ hash->state[i];
        last                            = hash->checksum[i] ^= md2_pi[byte ^ last];
    }
    for (unsigned round = 0; round < 18; round++) {
        for (unsigned i = 0; i < 3 * MD2_BLOCK; i++) {
            t = hash->state[i] ^= md2_pi[t];
        }
        t = (t + round) % 256;
    }
    return stack_depth();
}
