/* Grøstl in little code ("Grøstl - a SHA-3 candidate", version 2.0, section 3). The S-box is computed into memory. */

#include "bytes.h"
#include "groestl.h"
#include "wiping.h"

/* Rotations of the rows in P and Q (section 3.4.3). */
static const uint8_t shift[2][8] = {
#if GROESTL_BYTES == 32
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 5, 7, 0, 2, 4, 6},
#else
    {0, 1, 2, 3, 4, 5, 6, 11}, {1, 3, 5, 11, 0, 2, 4, 6},
#endif
};

static uint8_t doubled(unsigned a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

/* Computes the S-box of AES: `power` runs through all powers of 3, `inverse` through those of 1/3. */
static void make_substitution(uint8_t substituted[256])
{
    uint8_t power = 1, inverse = 1;
    do {
        unsigned twice      = inverse | (unsigned)inverse << 8;
        substituted[power]  = (uint8_t)(0x63 ^ twice ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4);
        power              ^= doubled(power);
        inverse            ^= (uint8_t)(inverse << 1);
        inverse            ^= (uint8_t)(inverse << 2);
        inverse            ^= (uint8_t)(inverse << 4);
        inverse            ^= inverse & 0x80 ? 0x09 : 0;
    } while (power != 1);
    substituted[0] = 0x63;
}

/* A round of P or, for `which` = 0xff, of Q. */
static NOINLINE uintptr_t round_of(uint8_t which, uint8_t round, const uint8_t *substituted, const uint8_t *from,
                     uint8_t *to)
{
    for (unsigned column = 0; column < GROESTL_BLOCK; column += 8) {
        uint8_t a[16]; /* the column, twice */
        for (unsigned row = 0; row < 8; row++) {
            unsigned at   = (column + 8 * shift[which & 1][row] + row) % GROESTL_BLOCK;
            uint8_t  byte = from[at] ^ which;
            if (row == which % 8) {
                byte ^= (uint8_t)((at >> 3 << 4) ^ round);
            }
            a[row] = a[row + 8] = substituted[byte];
        }
        for (const uint8_t *b = a; b < a + 8; b++) {
            uint8_t low  = b[4] ^ b[6] ^ b[7];
            uint8_t byte = doubled(b[3] ^ low) ^ b[0] ^ b[1] ^ b[2] ^ b[5] ^ b[7];
            *to++        = doubled(byte) ^ low ^ b[2] ^ b[5];
        }
    }
    return stack_depth();
}

/* Adds P(state) or Q(state) to the chaining value. Returns its stack depth. */
static NOINLINE uintptr_t add_permuted(GROESTL *hash, uint8_t *state, uint8_t which)
{
    uint8_t   other[GROESTL_BLOCK];
    uintptr_t depth = stack_depth();
    for (unsigned round = 0; round < GROESTL_ROUNDS; round += 2) {
        round_of(which, (uint8_t)round, hash->substituted, state, other);
        depth = round_of(which, (uint8_t)(round + 1), hash->substituted, other, state);
    }
    for (unsigned i = 0; i < GROESTL_BLOCK; i++) {
        hash->chain[i] ^= state[i];
    }
    return no_tail_call(depth);
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t compress(GROESTL *hash)
{
    uint8_t sum[GROESTL_BLOCK];
    for (unsigned i = 0; i < GROESTL_BLOCK; i++) {
        sum[i] = hash->chain[i] ^ hash->block[i];
    }
    add_permuted(hash, sum, 0);
    return no_tail_call(add_permuted(hash, hash->block, 0xff));
}

void GROESTL_NAME(init)(GROESTL *hash)
{
    wipe(hash, sizeof *hash);
    hash->chain[GROESTL_BLOCK - 2] = GROESTL_BYTES / 32;
    make_substitution(hash->substituted);
}

void GROESTL_NAME(update)(GROESTL *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        hash->block[hash->size++ % GROESTL_BLOCK] = *message++;
        if (hash->size % GROESTL_BLOCK == 0) {
            depth = compress(hash);
        }
    }
    wipe_below(depth);
}

void GROESTL_NAME(final)(GROESTL *hash, uint8_t digest[GROESTL_BYTES])
{
    uintptr_t depth = stack_depth();
    digest[0] = 0x80;
    do {
        GROESTL_NAME(update)(hash, digest, 1);
        digest[0] = 0;
    } while (hash->size % GROESTL_BLOCK != GROESTL_BLOCK - 8);
    /* The number of blocks including this one, highest byte first. */
    uint64_t blocks = hash->size / GROESTL_BLOCK + 1;
    for (unsigned i = GROESTL_BLOCK; i-- > GROESTL_BLOCK - 8; blocks >>= 8) {
        hash->block[i] = (uint8_t)blocks;
    }
    depth = compress(hash);
    for (unsigned i = 0; i < GROESTL_BLOCK; i++) {
        hash->block[i] = hash->chain[i];
    }
    depth = deeper(depth, add_permuted(hash, hash->block, 0));
    for (unsigned i = 0; i < GROESTL_BYTES; i++) {
        digest[i] = hash->chain[GROESTL_BLOCK - GROESTL_BYTES + i];
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
