/* Keccak and SHA-3: bytes, blocks and padding (FIPS 202, sections 4 and 5). Whole blocks are absorbed without a
 * copy. */

#include "bytes.h"
#include "permute.h"
#include "wiping.h"

void KECCAK_NAME(init)(KECCAK *hash)
{
    for (unsigned i = 0; i < 2 * KECCAK_LANES; i++) {
        hash->words[i] = INVERTED >> i / 2 & 1 ? 0xffffffff : 0;
    }
    hash->at = 0;
}

static inline void add_block(KECCAK *hash, const uint8_t *block)
{
    for (unsigned i = 0; i < KECCAK_RATE / 4; i++) {
        hash->words[i] ^= load32_le(block + 4 * i);
    }
}

static inline void add_byte(KECCAK *hash, uint8_t byte)
{
    hash->words[hash->at / 4] ^= (uint32_t)byte << 8 * (hash->at % 4);
}

void KECCAK_NAME(update)(KECCAK *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size > 0) {
        if (hash->at == 0 && size >= KECCAK_RATE) {
            add_block(hash, message);
            depth = KECCAK_NAME(permute)(hash->words);
            message += KECCAK_RATE;
            size -= KECCAK_RATE;
            continue;
        }
        add_byte(hash, *message++);
        size--;
        if (++hash->at == KECCAK_RATE) {
            depth = KECCAK_NAME(permute)(hash->words);
            hash->at = 0;
        }
    }
    wipe_below(depth);
}

void KECCAK_NAME(final)(KECCAK *hash, uint8_t digest[KECCAK_BYTES])
{
    uintptr_t depth = stack_depth();
    add_byte(hash, KECCAK_PADDING);
    hash->words[KECCAK_RATE / 4 - 1] ^= 0x80000000;
    depth = KECCAK_NAME(permute)(hash->words);
    for (unsigned i = 0; i < KECCAK_BYTES / 4; i++) {
        store32_le(digest + 4 * i, INVERTED >> i / 2 & 1 ? ~hash->words[i] : hash->words[i]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
