/* The Ascon permutation in two shares (NIST SP 800-232, section 3).
 *
 * Each product is added to a word whose mask is independent of those of its factors, so it needs no other random bits.
 * One product of a round is computed too early for its sum, and is kept in a guard, a word of zeros in two shares. */

#include "ascon_masked.h"
#include "wiping.h"

uint8_t ascon_random[ASCON_RANDOM_BYTES];

/* A word of 64 bits: both halves of its first share, and of its second. */
typedef struct {
    uint32_t first[2], second[2];
} WORD;

INLINED void guard_of(WORD *word, const uint8_t *random)
{
    for (unsigned half = 0; half < 2; half++) {
        word->first[half] = load32_le(random + 4 * half);
    }
    for (unsigned half = 0; half < 2; half++) {
        word->second[half] = ascon_turned(word->first[half], word->first[half ^ 1]);
    }
}

void ascon_mask(ASCON_SHARES *state)
{
    WORD word;
    for (unsigned i = 0; i < ASCON_WORDS; i += 2) {
        guard_of(&word, ascon_random + 4 * i);
        for (unsigned half = 0; half < 2; half++) {
            state->first.w[i + half]  = word.first[half];
            state->second.w[i + half] = word.second[half];
        }
    }
    wipe_aligned(&word, sizeof word);
}

uint32_t ascon_opened(const ASCON_SHARES *state, unsigned i)
{
    return state->first.w[i] ^ ascon_turned_back(state->second.w[i], state->second.w[i ^ 1]);
}

INLINED void add(WORD *to, const WORD *from)
{
    for (unsigned half = 0; half < 2; half++) {
        to->first[half] = kept(to->first[half] ^ from->first[half]);
    }
    for (unsigned half = 0; half < 2; half++) {
        to->second[half] = kept(to->second[half] ^ from->second[half]);
    }
}

/* Adds the product of a word's complement and a word. */
INLINED void add_product(WORD *to, const WORD *inverted, const WORD *factor)
{
    for (unsigned half = 0; half < 2; half++) {
        to->first[half]  = kept(to->first[half] ^ (~inverted->first[half] & factor->first[half]));
        to->second[half] = kept(to->second[half] ^ (inverted->second[half] & factor->second[half]));
    }
    for (unsigned half = 0; half < 2; half++) {
        uint32_t second  = ascon_turned_back(factor->second[half], factor->second[half ^ 1]);
        to->first[half]  = kept(to->first[half] ^ (~inverted->first[half] & second));
        uint32_t first   = ascon_turned(factor->first[half], factor->first[half ^ 1]);
        to->second[half] = kept(to->second[half] ^ (inverted->second[half] & first));
    }
}

/* The S-box of section 3.3. */
INLINED void substitute(WORD x[5], WORD *guard)
{
    add(&x[0], &x[4]);
    add(&x[4], &x[3]);
    add(&x[2], &x[1]);
    WORD was = x[0];
    add_product(guard, &x[0], &x[1]);
    add_product(&x[0], &x[1], &x[2]);
    add_product(&x[1], &x[2], &x[3]);
    add_product(&x[2], &x[3], &x[4]);
    add_product(&x[3], &x[4], &was);
    add(&x[4], guard);
    add(&x[1], &x[0]);
    add(&x[0], &x[4]);
    add(&x[3], &x[2]);
    x[2].first[0] = ~x[2].first[0];
    x[2].first[1] = ~x[2].first[1];
}

/* The lower half of a word rotated right, from its halves. */
INLINED uint32_t rotated(uint32_t low, uint32_t high, unsigned places)
{
    return places < 32 ? low >> places | high << (32 - places) : high >> (places - 32) | low << (64 - places);
}

/* Adds to one share of a word its right rotations by two amounts (section 3.4). */
INLINED void diffuse(uint32_t w[2], unsigned first, unsigned second)
{
    uint32_t low = w[0], high = w[1];
    w[0] = low ^ rotated(low, high, first) ^ rotated(low, high, second);
    w[1] = high ^ rotated(high, low, first) ^ rotated(high, low, second);
}

INLINED void diffuse_both(WORD *word, unsigned first, unsigned second)
{
    diffuse(word->first, first, second);
    diffuse(word->second, first, second);
}

INLINED void exchange_forms(WORD x[5], ASCON_SHARES *state, unsigned back)
{
    for (unsigned i = 0; i < ASCON_WORDS; i++) {
        uint32_t *first = &x[i / 2].first[i % 2], *second = &x[i / 2].second[i % 2];
        if (back) {
            state->first.w[i]  = *first;
            state->second.w[i] = *second;
        } else {
            *first  = state->first.w[i];
            *second = state->second.w[i];
        }
    }
}

uintptr_t ascon_permute_masked(ASCON_SHARES *state, unsigned rounds)
{
    WORD           x[5], guard;
    const uint8_t *random = ascon_random + 4 * ASCON_WORDS;
    exchange_forms(x, state, 0);
    for (uint32_t constant = 0x3c + 15 * rounds; constant != 0x3c; constant -= 15, random += 8) {
        x[2].first[0] ^= constant;
        guard_of(&guard, random);
        substitute(x, &guard);
        diffuse_both(&x[0], 19, 28);
        diffuse_both(&x[1], 61, 39);
        diffuse_both(&x[2], 1, 6);
        diffuse_both(&x[3], 10, 17);
        diffuse_both(&x[4], 7, 41);
    }
    exchange_forms(x, state, 1);
    return stack_depth();
}
