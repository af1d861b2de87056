/* Ascon-Hash256 byte by byte (NIST SP 800-232, section 5.1). */

#include "ascon_hash256.h"
#include "wiping.h"

/* The initial value of S0, in halves. */
#define IV_LOW  0x00cc0002u
#define IV_HIGH 0x00000801u

void ascon_hash256_init(ASCON_HASH256 *hash)
{
    for (unsigned i = 2; i < ASCON_WORDS; i++) {
        hash->state.w[i] = 0;
    }
    hash->state.w[0] = IV_LOW;
    hash->state.w[1] = IV_HIGH;
    hash->filled     = 0;
    (void)ascon_permute(&hash->state, 12);
}

void ascon_hash256_update(ASCON_HASH256 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        ascon_add_byte(&hash->state, hash->filled++, *message++);
        if (hash->filled == ASCON_HASH256_RATE) {
            hash->filled = 0;
            depth = ascon_permute(&hash->state, 12);
        }
    }
    wipe_below(depth);
}

void ascon_hash256_final(ASCON_HASH256 *hash, uint8_t digest[ASCON_HASH256_BYTES])
{
    uintptr_t depth = stack_depth();
    ascon_add_byte(&hash->state, hash->filled, 1);
    for (unsigned i = 0; i < ASCON_HASH256_BYTES; i++) {
        if (i % ASCON_HASH256_RATE == 0) {
            depth = ascon_permute(&hash->state, 12);
        }
        digest[i] = ascon_add_byte(&hash->state, i % ASCON_HASH256_RATE, 0);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
