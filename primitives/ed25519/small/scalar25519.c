/* Numbers modulo the order of Ed25519's base point, with double-and-add multiplication (RFC 8032, section 5.1). */

#include "scalar25519.h"

static const SCALAR order = {0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000};

/* x += factor * y; returns the carry, -1 if x became negative. */
__attribute__((noinline)) static int32_t add_multiple(SCALAR x, const SCALAR y, int32_t factor)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < SCALAR_WORDS; i++) {
        sum += (int64_t)x[i] + (int64_t)factor * y[i];
        x[i] = (uint32_t)sum;
        sum >>= 32;
    }
    return (int32_t)sum;
}

/* Adds a multiple, and subtracts L if the difference is not negative. */
__attribute__((noinline)) static void add(SCALAR x, const SCALAR y, int32_t factor)
{
    add_multiple(x, y, factor);
    add_multiple(x, order, -add_multiple(x, order, -1));
}

void scalar_add(SCALAR x, const SCALAR y)
{
    add(x, y, 1);
}

void scalar_multiply(SCALAR x, const uint32_t *a, unsigned words, const SCALAR b)
{
    wipe(x, sizeof(SCALAR));
    for (unsigned i = 32 * words; i-- > 0;) {
        add(x, x, 1);
        add(x, b, (int32_t)(a[i / 32] >> i % 32 & 1));
    }
}

int scalar_is_reduced(SCALAR x)
{
    int32_t carry = add_multiple(x, order, -1);
    add_multiple(x, order, 1);
    return carry != 0;
}
