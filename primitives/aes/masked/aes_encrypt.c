/* Encryption of a block, every value of which is masked at first order: C. Herbst, E. Oswald and S. Mangard, An AES
 * Smart Card Implementation Resistant to Power Analysis Attacks, ACNS 2006, section 3.
 *
 * Two values with the same mask must not follow one another, in a register, on a bus or in memory: the mask cancels in
 * the transition. docs/masking.md shows what happens where they do. */

#include "aes_masked.h"

/* A byte in a register, as it is: a compiler that sees through it may add masks in another order, and the value is
 * without one for an instruction. */
static inline uint8_t kept(uint8_t byte)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(byte));
#endif
    return byte;
}

static void choose(MASKS *masks, const uint8_t random[6])
{
    const uint8_t *c = random + 2;
    masks->enter     = random[0];
    masks->leave     = random[1];
    for (unsigned i = 0; i < 4; i++) {
        masks->before[i] = c[i];
        masks->behind[i] =
            (uint8_t)(aes_doubled((uint8_t)(c[i] ^ c[(i + 1) % 4])) ^ c[(i + 1) % 4] ^ c[(i + 2) % 4] ^ c[(i + 3) % 4]);
    }
}

/* The substitution of masked bytes: of a with its mask, the substitution of a with another. */
static NOINLINE uintptr_t tabulate(uint8_t table[256], const MASKS *masks)
{
    for (unsigned a = 0; a < 256; a++) {
        table[a ^ masks->enter] = (uint8_t)(AES(sbox)[a] ^ masks->leave);
    }
    return stack_depth();
}

/* AddRoundKey: takes the masks of the rows from the state and puts another in their place. The key is masked first, so
 * that the state is never without a mask. */
static NOINLINE uintptr_t add(uint8_t state[AES_BYTES], const uint8_t *key, const uint8_t rows[4], uint8_t mask)
{
    for (unsigned i = 0; i < AES_BYTES; i++) {
        uint8_t masked = kept((uint8_t)(key[i] ^ kept((uint8_t)(rows[i % 4] ^ mask))));
        state[i]       = (uint8_t)(state[i] ^ masked);
    }
    return stack_depth();
}

/* SubBytes and ShiftRows, and a mask of its own for each row. All bytes that come out of the table have one mask, so two
 * of them must not meet: each gets its other mask before the next is looked up, and a 0 is stored in between, which
 * also clears what the last round left there. */
static NOINLINE uintptr_t substitute(uint8_t state[AES_BYTES], const uint8_t table[256], const uint8_t rows[4], uint8_t mask)
{
    volatile uint8_t was[AES_BYTES];
    for (unsigned i = 0; i < AES_BYTES; i++) {
        uint8_t change = kept((uint8_t)(rows[i % 4] ^ mask));
        was[i]         = 0;
        was[i]         = kept((uint8_t)(table[state[5 * i % AES_BYTES]] ^ change));
    }
    for (unsigned i = 0; i < AES_BYTES; i++) {
        state[i] = was[i];
        was[i]   = 0;
    }
    return stack_depth();
}

static NOINLINE uintptr_t mix_columns(uint8_t state[AES_BYTES])
{
    for (uint8_t *column = state; column < state + AES_BYTES; column += 4) {
        uint8_t first = column[0];
        uint8_t all   = (uint8_t)(first ^ column[1] ^ column[2] ^ column[3]);
        for (unsigned i = 0; i < 4; i++) {
            uint8_t next = i < 3 ? column[i + 1] : first;
            column[i]    = (uint8_t)(column[i] ^ all ^ aes_doubled((uint8_t)(column[i] ^ next)));
        }
    }
    return stack_depth();
}

static NOINLINE uintptr_t encrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint8_t table[256], state[AES_BYTES];
    MASKS   masks;
    choose(&masks, keys->random);
    uintptr_t depth = tabulate(table, &masks);
    for (unsigned i = 0; i < AES_BYTES; i++) {
        state[i] = (uint8_t)(text[i] ^ masks.behind[i % 4]);
    }
    for (unsigned round = 0; round < AES_ROUNDS; round++) {
        depth = deeper(depth, add(state, keys->round[round], masks.behind, masks.enter));
        depth = deeper(depth, substitute(state, table, masks.before, masks.leave));
        if (round + 1 < AES_ROUNDS) {
            depth = deeper(depth, mix_columns(state));
        }
    }
    /* The result is no secret: here the masks go. */
    depth = deeper(depth, add(state, keys->round[AES_ROUNDS], masks.before, 0));
    for (unsigned i = 0; i < AES_BYTES; i++) {
        result[i] = state[i];
    }
    wipe(table, sizeof table);
    wipe(state, sizeof state);
    wipe(&masks, sizeof masks);
    return no_tail_call(depth);
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}
