/* Ascon-Hash256 block by block (NIST SP 800-232, section 5.1). */

#include "ascon_hash256.h"
#include "wiping.h"

/* The state after initialization, which does not depend on the message. */
static const ASCON_STATE initial = {{
    0xe934d681, 0x9b1e5494, 0x333751d2, 0x4bc3a01e, 0x6b34b81a,
    0xae65396c, 0xd56a4db3, 0x3c7fd4a4, 0x06c5976d, 0x1a5c4649,
}};

void ascon_hash256_init(ASCON_HASH256 *hash)
{
    hash->state  = initial;
    hash->filled = 0;
}

static inline uintptr_t add_byte(ASCON_HASH256 *hash, uintptr_t depth, uint8_t byte)
{
    ascon_add_byte(&hash->state, hash->filled++, byte);
    if (hash->filled == ASCON_HASH256_RATE) {
        hash->filled = 0;
        return deeper(depth, ascon_permute(&hash->state, 12));
    }
    return depth;
}

void ascon_hash256_update(ASCON_HASH256 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    for (; size > 0 && hash->filled > 0; size--) {
        depth = add_byte(hash, depth, *message++);
    }
    for (; size >= ASCON_HASH256_RATE; size -= ASCON_HASH256_RATE) {
        hash->state.w[0] ^= load32_le(message);
        hash->state.w[1] ^= load32_le(message + 4);
        depth = ascon_permute(&hash->state, 12);
        message += ASCON_HASH256_RATE;
    }
    for (; size > 0; size--) {
        depth = add_byte(hash, depth, *message++);
    }
    wipe_below(depth);
}

void ascon_hash256_final(ASCON_HASH256 *hash, uint8_t digest[ASCON_HASH256_BYTES])
{
    uintptr_t depth = stack_depth();
    ascon_add_byte(&hash->state, hash->filled, 1);
    for (unsigned i = 0; i < ASCON_HASH256_BYTES; i += ASCON_HASH256_RATE) {
        depth = ascon_permute(&hash->state, 12);
        store32_le(digest + i, hash->state.w[0]);
        store32_le(digest + i + 4, hash->state.w[1]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
