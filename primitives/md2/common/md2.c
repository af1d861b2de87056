/* MD2: padding and checksum (RFC 1319, sections 3.1, 3.2 and 3.5). */

#include "md2.h"

#include "bytes.h"
#include "wiping.h"

void md2_init(MD2 *hash)
{
    wipe(hash, sizeof *hash);
}

void md2_update(MD2 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    for (; size > 0; size--) {
        hash->state[MD2_BLOCK + hash->used++] = *message++;
        if (hash->used == MD2_BLOCK) {
            depth = md2_compress(hash);
            hash->used = 0;
        }
    }
    wipe_below(depth);
}

void md2_final(MD2 *hash, uint8_t digest[MD2_BYTES])
{
    uint8_t padding = (uint8_t)(MD2_BLOCK - hash->used);
    do {
        md2_update(hash, &padding, 1);
    } while (hash->used > 0);
    /* md2_update copies the whole checksum before it hashes it, which changes the checksum. */
    md2_update(hash, hash->checksum, MD2_BLOCK);
    for (unsigned i = 0; i < MD2_BYTES; i++) {
        digest[i] = hash->state[i];
    }
    wipe(hash, sizeof *hash);
    wipe_registers();
}
