/* Constant-time arithmetic modulo the field prime or the order.
 *
 * Products are Montgomery's: Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms"
 * (1996). */

#include "bytes.h"
#include "numbers.h"

/* z = a + ((b ^ flip) & mask) + (flip & 1); returns the carry. */
static uint32_t sum(uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask, uint32_t flip)
{
    uint32_t carry = flip & 1;
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t word = (uint64_t)a[i] + ((b[i] ^ flip) & mask) + carry;
        z[i]          = (uint32_t)word;
        carry         = (uint32_t)(word >> 32);
    }
    return carry;
}

void ECDSA(subtract)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t carry)
{
    carry += sum(z, a, b, UINT32_MAX, UINT32_MAX);
    (void)sum(z, z, of->m, carry - 1, 0);
}

void ECDSA(add)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    uint32_t carry = sum(z, a, b, UINT32_MAX, 0);
    ECDSA(subtract)(of, z, z, of->m, carry);
}

/* For each word of a, u = (u + a[i] b + q m) / 2^32, where q makes the division exact. The loop shifts u down by one
 * word, so that u[0] is not part of the result. */
void ECDSA(multiply)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    uint32_t u[WORDS + 2] = {0};
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t q    = (u[1] + a[i] * b[0]) * of->inverse;
        uint64_t left = 0, right = 0;
        for (unsigned j = 0; j < WORDS; j++) {
            left  = (left >> 32) + (uint64_t)a[i] * b[j] + u[j + 1];
            right = (right >> 32) + (uint64_t)q * of->m[j] + (uint32_t)left;
            u[j]  = (uint32_t)right;
        }
        left         = (left >> 32) + (right >> 32) + u[WORDS + 1];
        u[WORDS]     = (uint32_t)left;
        u[WORDS + 1] = (uint32_t)(left >> 32);
    }
    ECDSA(subtract)(of, z, u + 1, of->m, u[WORDS + 1]);
}

void ECDSA(multiply_out)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    ECDSA(multiply)(of, z, a, b);
    ECDSA(multiply)(of, z, z, ECDSA(curve).base + 2 * WORDS);
}

void ECDSA(reduce)(uint32_t *z)
{
    ECDSA(subtract)(&ECDSA(curve).n, z, z, ECDSA(curve).n.m, 0);
}

void ECDSA(load)(uint32_t *z, const uint8_t *bytes)
{
    for (unsigned i = WORDS; i-- > 0; bytes += 4) {
        z[i] = load32_be(bytes);
    }
}

void ECDSA(store)(uint8_t *bytes, const uint32_t *z)
{
    for (unsigned i = WORDS; i-- > 0; bytes += 4) {
        store32_be(bytes, z[i]);
    }
}

void ECDSA(load_digest)(uint32_t *z, const uint8_t *digest, size_t size)
{
    size_t used = size < ECDSA_BYTES ? size : ECDSA_BYTES;
    for (unsigned i = 0; i < WORDS; i++) {
        z[i] = 0;
    }
    for (size_t i = 0; i < used; i++) {
        z[i / 4] |= (uint32_t)digest[used - 1 - i] << 8 * (i % 4);
    }
}

void ECDSA(copy)(uint32_t *to, const uint32_t *from, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        to[i] = from[i];
    }
}

void ECDSA(reveal)(uint32_t *z, unsigned words)
{
    for (; words-- > 0; z++) {
        *z = revealed(*z);
    }
}

void ECDSA(forget)(uint32_t *numbers, unsigned count)
{
    wipe(numbers, count * sizeof(NUMBER));
}

/* The inverse by Fermat's little theorem. The low word of each modulus is at least 2, and its highest bit is set. */
void ECDSA(invert)(const MODULUS *of, uint32_t *z, const uint32_t *a)
{
    ECDSA(copy)(z, a, WORDS);
    for (unsigned bit = BITS - 1; bit-- > 0;) {
        uint32_t word = of->m[bit / 32] - (bit < 32 ? 2 : 0);
        ECDSA(multiply)(of, z, z, z);
        if (word >> bit % 32 & 1) {
            ECDSA(multiply)(of, z, z, a);
        }
    }
}

int ECDSA(is_zero)(const uint32_t *a)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        any |= a[i];
    }
    return any == 0;
}

int ECDSA(is_below)(const uint32_t *a, const MODULUS *of)
{
    NUMBER less;
    return sum(less, a, of->m, UINT32_MAX, UINT32_MAX) == 0;
}
