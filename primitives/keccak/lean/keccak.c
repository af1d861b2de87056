/* Keccak in little memory (FIPS 202): the permutation works in place, with a row or the column parities in
 * registers. */

#include "bytes.h"
#include "keccak_constants.h"
#include "lanes.h"
#include "wiping.h"

/* Theta, rho and pi of one lane: adds its column parities, rotates it, and stores it at its new position. */
#define MOVE(to, from, d, places)                                                                       \
    do {                                                                                                \
        put(words, to, rotl64(get(words, from) ^ (d), places));                                         \
        FORGET();                                                                                       \
    } while (0)

/* Moves each lane to the position from which the previous move has read. */
static inline void theta_rho_and_pi(uint32_t words[2 * KECCAK_LANES])
{
    uint64_t c0 = column(words, 0), c1 = column(words, 1), c2 = column(words, 2), c3 = column(words, 3);
    uint64_t c4 = column(words, 4);
    uint64_t d0 = c4 ^ rotl64(c1, 1), d1 = c0 ^ rotl64(c2, 1), d2 = c1 ^ rotl64(c3, 1);
    uint64_t d3 = c2 ^ rotl64(c4, 1), d4 = c3 ^ rotl64(c0, 1);
    FORGET();
    uint64_t first = get(words, 1) ^ d1;
    put(words, 0, get(words, 0) ^ d0);
    FORGET();
    MOVE(1, 6, d1, 44); MOVE(6, 9, d4, 20); MOVE(9, 22, d2, 61); MOVE(22, 14, d4, 39); MOVE(14, 20, d0, 18);
    MOVE(20, 2, d2, 62); MOVE(2, 12, d2, 43); MOVE(12, 13, d3, 25); MOVE(13, 19, d4, 8);
    MOVE(19, 23, d3, 56); MOVE(23, 15, d0, 41); MOVE(15, 4, d4, 27); MOVE(4, 24, d4, 14);
    MOVE(24, 21, d1, 2); MOVE(21, 8, d3, 55); MOVE(8, 16, d1, 45); MOVE(16, 5, d0, 36); MOVE(5, 3, d3, 28);
    MOVE(3, 18, d3, 21); MOVE(18, 17, d2, 15); MOVE(17, 11, d1, 10); MOVE(11, 7, d2, 6); MOVE(7, 10, d0, 3);
    put(words, 10, rotl64(first, 1));
}

static inline void chi(uint32_t words[2 * KECCAK_LANES])
{
    for (uint32_t *row = words; row < words + 2 * KECCAK_LANES; row += 10) {
        uint64_t b0 = get(row, 0), b1 = get(row, 1), b2 = get(row, 2), b3 = get(row, 3), b4 = get(row, 4);
        put(row, 0, b0 ^ (~b1 & b2));
        put(row, 1, b1 ^ (~b2 & b3));
        put(row, 2, b2 ^ (~b3 & b4));
        put(row, 3, b3 ^ (~b4 & b0));
        put(row, 4, b4 ^ (~b0 & b1));
    }
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t permute(uint32_t words[2 * KECCAK_LANES])
{
    for (unsigned round = 0; round < KECCAK_ROUNDS; round++) {
        theta_rho_and_pi(words);
        chi(words);
        put(words, 0, get(words, 0) ^ constant[round]);
    }
    return stack_depth();
}

void KECCAK_NAME(init)(KECCAK *hash)
{
    wipe(hash, sizeof *hash);
}

static inline void add_byte(KECCAK *hash, uint8_t byte)
{
    hash->words[hash->at / 4] ^= (uint32_t)byte << 8 * (hash->at % 4);
}

void KECCAK_NAME(update)(KECCAK *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        add_byte(hash, *message++);
        if (++hash->at == KECCAK_RATE) {
            depth = permute(hash->words);
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
    depth = permute(hash->words);
    for (unsigned i = 0; i < KECCAK_BYTES / 4; i++) {
        store32_le(digest + 4 * i, hash->words[i]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
