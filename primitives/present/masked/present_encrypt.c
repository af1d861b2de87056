/* Bit-sliced encryption of a block in two shares (Bogdanov and others, CHES 2007, section 3), two rounds per iteration.
 *
 * Each step of the substitution adds to a bit a function of two others, and none of the three depends on the others'
 * masks. So 64 random bits at the start are enough: after each step all bits are masked independently again. */

#include "bytes.h"
#include "present.h"
#include "shares.h"
#include "slices.h"
#include "wiping.h"

/* The first share of a slice is in the low half of a word, the second one in the high half of another. Where a word takes
 * another's place, in a register or on a bus, bits of the same position are compared, so that the shares of a bit do not
 * meet. Only products need both shares of a bit in one half; docs/masking.md shows what happens there. */
typedef struct {
    uint32_t low[4], high[4];
} SHARES;

enum { LOW = 0xffff };

static inline void exchange(SHARES *x, unsigned first, unsigned second, unsigned by, uint32_t places)
{
    present_exchange(&x->low[first], &x->low[second], by, places);
    present_exchange(&x->high[first], &x->high[second], by, places << 16);
}

static inline void swap_outer(SHARES *x)
{
    exchange(x, 0, 2, 8, 0x00ff);
    exchange(x, 1, 3, 8, 0x00ff);
    exchange(x, 0, 1, 4, 0x0f0f);
    exchange(x, 2, 3, 4, 0x0f0f);
}

static inline void swap_inner(SHARES *x)
{
    exchange(x, 0, 2, 2, 0x3333);
    exchange(x, 1, 3, 2, 0x3333);
    exchange(x, 0, 1, 1, 0x5555);
    exchange(x, 2, 3, 1, 0x5555);
}

/* Adds the product of two slices to a third one. */
static inline void add_product(SHARES *x, unsigned to, unsigned left, unsigned right)
{
    x->low[to]  = kept(x->low[to] ^ (x->low[left] & x->low[right]));
    x->high[to] = kept(x->high[to] ^ (x->high[left] & x->high[right]));
    x->low[to]  = kept(x->low[to] ^ (x->low[left] & kept(x->high[right] >> 16)));
    x->high[to] = kept(x->high[to] ^ (x->high[left] & kept(x->low[right] << 16)));
}

static inline void add(SHARES *x, unsigned to, unsigned from)
{
    x->low[to]  = kept(x->low[to] ^ x->low[from]);
    x->high[to] = kept(x->high[to] ^ x->high[from]);
}

static inline void invert(SHARES *x, unsigned slice)
{
    x->low[slice] ^= LOW;
}

/* The steps of present_substitute; the last two slices change their names. */
static inline void substitute(SHARES *x)
{
    enum { A, B, C, D };
    add(x, B, C);
    add_product(x, D, B, C);
    add_product(x, C, B, D);
    invert(x, A);
    invert(x, C);
    add_product(x, B, A, C);
    invert(x, B);
    invert(x, A);
    invert(x, C);
    add(x, A, D);
    invert(x, D);
    add(x, C, D);
    add(x, C, B);
    add(x, B, A);
    add_product(x, D, B, C);
    uint32_t low = x->low[C], high = x->high[C];
    x->low[C] = x->low[D], x->high[C] = x->high[D];
    x->low[D] = low, x->high[D] = high;
}

static inline void add_key(SHARES *x, const uint32_t key[2])
{
    x->low[0] ^= key[0] & LOW;
    x->low[1] ^= key[0] >> 16;
    x->low[2] ^= key[1] & LOW;
    x->low[3] ^= key[1] >> 16;
}

static inline void share(SHARES *x, const uint8_t text[8], const uint8_t random[8])
{
    uint32_t high = load32_be(random), low = load32_be(random + 4);
    x->high[0] = low << 16;
    x->high[1] = low & ~(uint32_t)LOW;
    x->high[2] = high << 16;
    x->high[3] = high & ~(uint32_t)LOW;
    high       = kept(high ^ load32_be(text));
    low        = kept(low ^ load32_be(text + 4));
    x->low[0]  = low & LOW;
    x->low[1]  = low >> 16;
    x->low[2]  = high & LOW;
    x->low[3]  = high >> 16;
}

/* The half of a result from two slices; the key is added before the shares are. */
static inline uint32_t joined(const SHARES *x, unsigned low, unsigned high, uint32_t key)
{
    uint32_t first  = kept(present_turned(present_joined(x->low[low], x->low[high])) ^ key);
    uint32_t second = kept(present_turned(present_joined(x->high[low] >> 16, x->high[high] >> 16)));
    return first ^ second;
}

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    const uint32_t(*key)[2] = keys->round;
    SHARES x;
    share(&x, text, keys->random);
    swap_inner(&x);
    for (const uint32_t(*end)[2] = key + PRESENT_ROUNDS - 1; key < end; key += 2) {
        add_key(&x, key[0]);
        substitute(&x);
        swap_outer(&x);
        add_key(&x, key[1]);
        substitute(&x);
        swap_inner(&x);
    }
    add_key(&x, key[0]);
    substitute(&x);
    store32_be(result, joined(&x, 2, 3, key[1][1]));
    store32_be(result + 4, joined(&x, 0, 1, key[1][0]));
    return stack_depth();
}

void present_encrypt(const PRESENT_KEYS *keys, const uint8_t text[8], uint8_t result[8])
{
    wipe_below(encrypt(keys, text, result));
}
