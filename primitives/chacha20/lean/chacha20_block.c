/* The block function of ChaCha20 without a copy of its initial state, which is formed twice: before and after the
 * rounds (RFC 8439, section 2.3). */

#include "chacha20_block.h"
#include "wiping.h"

static NOINLINE uintptr_t add_words(uint32_t *x, const uint8_t *bytes, unsigned number)
{
    while (number-- > 0) {
        x[number] += load32_le(bytes + 4 * number);
    }
    return stack_depth();
}

static NOINLINE uintptr_t add_input(uint32_t *x, const uint8_t *key, uint32_t counter, const uint8_t *nonce)
{
    add_words(x, (const uint8_t *)"expand 32-byte k", 4);
    add_words(x + 4, key, 8);
    x[12] += counter;
    return no_tail_call(add_words(x + 13, nonce, 3));
}

/* Quarter round on a column (`step` 0) or a diagonal (`step` 1), whose words move on by `step` columns with each
 * row. */
static void quarter_round(uint32_t *x, unsigned column, unsigned step)
{
    uint32_t *a = x + column, *b = x + 4 + (column + step) % 4, *c = x + 8 + (column + 2 * step) % 4;
    uint32_t *d = x + 12 + (column + 3 * step) % 4;
    uint32_t  wa = *a, wb = *b, wc = *c, wd = *d;
    wa += wb, wd = rotl32(wd ^ wa, 16);
    wc += wd, wb = rotl32(wb ^ wc, 12);
    wa += wb, wd = rotl32(wd ^ wa, 8);
    wc += wd, wb = rotl32(wb ^ wc, 7);
    *a = wa, *b = wb, *c = wc, *d = wd;
}

uintptr_t chacha20_block(uint32_t x[CHACHA20_WORDS], const uint8_t key[CHACHA20_KEY_BYTES], uint32_t counter,
                    const uint8_t nonce[CHACHA20_NONCE_BYTES])
{
    for (unsigned i = 0; i < CHACHA20_WORDS; i++) {
        x[i] = 0;
    }
    add_input(x, key, counter, nonce);
    /* Column rounds and diagonal rounds in turn. */
    for (unsigned i = 0; i < 80; i++) {
        quarter_round(x, i % 4, i / 4 % 2);
    }
    return no_tail_call(add_input(x, key, counter, nonce));
}

void chacha20_add(const uint32_t x[CHACHA20_WORDS], unsigned first, const uint8_t *text, uint8_t *result,
                  size_t size)
{
    for (unsigned i = first; i < CHACHA20_BLOCK_BYTES && size > 0; i++, size--) {
        *result++ = *text++ ^ (uint8_t)(x[i / 4] >> 8 * (i % 4));
    }
}
