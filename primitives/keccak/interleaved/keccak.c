/* Keccak and SHA-3 on bit-interleaved lanes: bytes, blocks and padding (FIPS 202, sections 4 and 5). */

#include "bytes.h"
#include "permute.h"
#include "wiping.h"

/* Swaps the bits under `mask` with those `places` bits higher. */
static inline uint32_t exchanged(uint32_t word, uint32_t mask, unsigned places)
{
    uint32_t differ = (word ^ word >> places) & mask;
    return word ^ differ ^ differ << places;
}

/* Bit interleaving: moves even bits to the lower half of a word, odd bits to the upper half; and the inverse. */
static inline uint32_t parted(uint32_t word)
{
    word = exchanged(word, 0x22222222, 1);
    word = exchanged(word, 0x0c0c0c0c, 2);
    word = exchanged(word, 0x00f000f0, 4);
    return exchanged(word, 0x0000ff00, 8);
}

static inline uint32_t joined(uint32_t word)
{
    word = exchanged(word, 0x0000ff00, 8);
    word = exchanged(word, 0x00f000f0, 4);
    word = exchanged(word, 0x0c0c0c0c, 2);
    return exchanged(word, 0x22222222, 1);
}

static void add(KECCAK *hash, unsigned lane, uint32_t low, uint32_t high)
{
    low  = parted(low);
    high = parted(high);
    hash->words[2 * lane] ^= (low & 0xffff) | high << 16;
    hash->words[2 * lane + 1] ^= low >> 16 | (high & 0xffff0000);
}

static void add_byte(KECCAK *hash, uint32_t at, uint8_t byte)
{
    uint32_t word = (uint32_t)byte << 8 * (at % 4);
    add(hash, at / 8, at & 4 ? 0 : word, at & 4 ? word : 0);
}

void KECCAK_NAME(init)(KECCAK *hash)
{
    for (unsigned i = 0; i < 2 * KECCAK_LANES; i++) {
        hash->words[i] = INVERTED >> i / 2 & 1 ? 0xffffffff : 0;
    }
    hash->at = 0;
}

/* Absorbs whole lanes where possible, otherwise bytes. */
void KECCAK_NAME(update)(KECCAK *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size > 0) {
        unsigned taken = 1;
        if (hash->at % 8 == 0 && size >= 8) {
            taken = 8;
            add(hash, hash->at / 8, load32_le(message), load32_le(message + 4));
        } else {
            add_byte(hash, hash->at, *message);
        }
        message += taken;
        size -= taken;
        hash->at += taken;
        if (hash->at == KECCAK_RATE) {
            depth = KECCAK_NAME(permute)(hash->words);
            hash->at = 0;
        }
    }
    wipe_below(depth);
}

void KECCAK_NAME(final)(KECCAK *hash, uint8_t digest[KECCAK_BYTES])
{
    uintptr_t depth = stack_depth();
    add_byte(hash, hash->at, KECCAK_PADDING);
    add_byte(hash, KECCAK_RATE - 1, 0x80);
    depth = KECCAK_NAME(permute)(hash->words);
    for (unsigned lane = 0; lane < KECCAK_BYTES / 8; lane++) {
        uint32_t inverted = INVERTED >> lane & 1 ? 0xffffffff : 0;
        uint32_t even = hash->words[2 * lane] ^ inverted, odd = hash->words[2 * lane + 1] ^ inverted;
        store32_le(digest + 8 * lane, joined((even & 0xffff) | odd << 16));
        store32_le(digest + 8 * lane + 4, joined(even >> 16 | (odd & 0xffff0000)));
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
