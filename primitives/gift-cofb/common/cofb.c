/* The block processing of COFB (GIFT-COFB v1.1, section 2.4). */

#include "cofb.h"

#include "bytes.h"
#include "wiping.h"

/* Doubles the mask in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1; or, if all bits of `keep` are 1, triples it. */
static void multiply(uint32_t mask[2], uint32_t keep)
{
    uint32_t high = mask[0], low = mask[1];
    mask[0] = (high << 1 | low >> 31) ^ (high & keep);
    mask[1] = (low << 1 ^ (0x1b & (0 - (high >> 31)))) ^ (low & keep);
}

/* Processes a text, at least one block even if it is empty; the mask of the last block is tripled `more` additional
 * times. Returns its stack depth. */
static NOINLINE uintptr_t take(COFB *cofb, const uint8_t *text, size_t size, unsigned more)
{
    for (;;) {
        int      last  = size <= 16;
        unsigned times = last ? more + 1 + (size < 16) : 1;
        while (times-- > 0) {
            multiply(cofb->mask, last ? UINT32_MAX : 0);
        }
        cofb_mix(cofb, text, last ? size : 16);
        uintptr_t depth = gift_encrypt(&cofb->keys, cofb->block);
        if (last) {
            return no_tail_call(depth);
        }
        text += 16;
        size -= 16;
    }
}

/* Writes the tag after the result, or compares it with the tag after the text. */
static unsigned finish(const COFB *cofb, const uint8_t *text, size_t size, uint8_t *result, int way)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < 16; i++) {
        unsigned byte = cofb_byte(cofb, i);
        if (way == COFB_SEAL) {
            result[size + i] = (uint8_t)byte;
        } else {
            wrong |= byte ^ text[size + i];
        }
    }
    return wrong;
}

/* Clears words, even if the compiler sees that nothing reads them afterwards. */
static inline void clear(volatile uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        words[i] = 0;
    }
}

/* Encrypts the nonce, which gives the mask. */
static void begin(COFB *cofb, const uint8_t key[16], const uint8_t nonce[16])
{
    gift_expand(&cofb->keys, key);
    for (unsigned i = 0; i < 4; i++) {
        cofb->block[i] = load32_be(nonce + 4 * i);
    }
    gift_encrypt(&cofb->keys, cofb->block);
    cofb->mask[0] = cofb->block[0];
    cofb->mask[1] = cofb->block[1];
    cofb->way     = COFB_ABSORB;
}

int cofb_crypt(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
               const uint8_t *text, size_t text_size, uint8_t *result, int way)
{
    COFB     cofb;
    unsigned wrong;
    begin(&cofb, key, nonce);
    uintptr_t depth = take(&cofb, ad, ad_size, text_size == 0 ? 2 : 0);
    cofb.way    = way;
    cofb.result = result;
    if (text_size > 0) {
        depth = take(&cofb, text, text_size, 0);
    }
    wrong = finish(&cofb, text, text_size, result, way);
    clear(cofb.mask, 2);
#ifdef GIFT_ROUND_KEYS
    clear(cofb.keys.round, 80);
#endif
    /* The result of the tag comparison is public. */
    wrong = revealed(wrong);
    if (wrong != 0) {
        wipe(result, text_size);
        /* The correct tag must not leak after a failed verification. */
        clear(cofb.block, 4);
    }
    wipe_below(depth);
    return wrong == 0 ? 0 : -1;
}
