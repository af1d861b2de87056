/* The operations with the modulus (RFC 8017, section 5). */

#include "bytes.h"
#include "lean.h"

/* Returns true if a < n. */
static int is_below(const uint8_t *a, const uint8_t *n)
{
    uint32_t borrow = 0;
    for (unsigned i = RSA_BYTES; i-- > 0;) {
        borrow = opaque((uint32_t)a[i] - n[i] - borrow) >> 31;
    }
    return (int)borrow;
}

static int raw(const uint8_t *n, const uint8_t *e, size_t e_size, size_t first, const uint8_t *message,
               uint8_t *result)
{
    NUMBER   own;
    uint32_t memory[2 * WORDS + 2];
    if (!(n[RSA_BYTES - 1] & 1) || !is_below(message, n)) {
        return -1;
    }
    RSA(begin)(&own, n, WORDS, memory);
    RSA(power)(&own, message, e, e_size, first);
    RSA(store)(&own, result);
    wipe(memory, sizeof memory);
    return 0;
}

int RSA(raw_public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                    uint8_t result[RSA_BYTES])
{
    size_t first = 0;
    while (first < 8 * RSA_E_BYTES && !(e[first / 8] >> (7 - first % 8) & 1)) {
        first++;
    }
    return raw(n, e, RSA_E_BYTES, first, message, result);
}

int RSA(raw_private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                     uint8_t result[RSA_BYTES])
{
    return raw(n, d, RSA_BYTES, 0, message, result);
}

int RSA(times)(const uint8_t n[RSA_BYTES], const uint8_t a[RSA_BYTES], const uint8_t b[RSA_BYTES],
               uint8_t result[RSA_BYTES])
{
    NUMBER   own;
    uint32_t memory[2 * WORDS + 2];
    uint32_t are_below = opaque((uint32_t)is_below(a, n)) & opaque((uint32_t)is_below(b, n));
    if (!(n[RSA_BYTES - 1] & 1) || !revealed(are_below)) {
        return -1;
    }
    RSA(begin)(&own, n, WORDS, memory);
    RSA(set)(&own, a, RSA_BYTES, 32 * WORDS);
    RSA(multiply)(&own, b, UINT32_MAX);
    RSA(store)(&own, result);
    wipe(memory, sizeof memory);
    return 0;
}
