/* Constant-time arithmetic modulo an odd number.
 *
 * Products are Montgomery's: Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms"
 * (1996). */

#include "bytes.h"
#include "small.h"

uint32_t RSA(sum)(unsigned words, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t mask,
                  uint32_t flip, uint32_t carry)
{
    for (unsigned i = 0; i < words; i++) {
        uint64_t word = (uint64_t)a[i] + ((b[i] ^ flip) & mask) + carry;
        z[i]          = (uint32_t)word;
        carry         = (uint32_t)(word >> 32);
    }
    return carry;
}

void RSA(subtract)(const MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b, uint32_t carry)
{
    carry += RSA(sum)(of->words, z, a, b, UINT32_MAX, UINT32_MAX, 1);
    (void)RSA(sum)(of->words, z, z, of->m, carry - 1, 0, 0);
}

/* For each word of a, u = (u + a[i] b + q m) / 2^32, where q makes the division exact; u[0] is not part of the
 * result. */
void RSA(multiply)(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    uint32_t *u     = of->u;
    unsigned  words = of->words;
    for (unsigned i = 0; i < words + 2; i++) {
        u[i] = 0;
    }
    for (unsigned i = 0; i < words; i++) {
        uint32_t q    = (u[1] + a[i] * b[0]) * of->inverse;
        uint64_t left = 0, right = 0;
        for (unsigned j = 0; j < words; j++) {
            left  = (left >> 32) + (uint64_t)a[i] * b[j] + u[j + 1];
            right = (right >> 32) + (uint64_t)q * of->m[j] + (uint32_t)left;
            u[j]  = (uint32_t)right;
        }
        left         = (left >> 32) + (right >> 32) + u[words + 1];
        u[words]     = (uint32_t)left;
        u[words + 1] = (uint32_t)(left >> 32);
    }
    RSA(subtract)(of, z, u + 1, of->m, u[words + 1]);
}

/* Double-and-add: z = 2 z + the next bit of a; zeros follow after its last bit. */
void RSA(to_montgomery)(const MODULUS *of, uint32_t *z, const uint32_t *a, unsigned words)
{
    for (unsigned i = 0; i < of->words; i++) {
        z[i] = 0;
    }
    for (unsigned bit = 32 * (words + of->words); bit-- > 0;) {
        unsigned at    = bit - 32 * of->words;
        uint32_t in    = bit < 32 * of->words ? 0 : a[at / 32] >> at % 32 & 1;
        uint32_t carry = RSA(sum)(of->words, z, z, z, UINT32_MAX, 0, in);
        RSA(subtract)(of, z, z, of->m, carry);
    }
}

void RSA(add_product)(unsigned words, uint32_t *z, const uint32_t *a, const uint32_t *b)
{
    for (unsigned i = 0; i < words; i++) {
        uint64_t sum = 0;
        for (unsigned j = 0; j < words; j++) {
            sum      = (sum >> 32) + (uint64_t)a[i] * b[j] + z[i + j];
            z[i + j] = (uint32_t)sum;
        }
        z[i + words] = (uint32_t)(sum >> 32);
    }
}

/* Newton iteration: the initial inverse is correct to 3 bits, and each step doubles that number. */
int RSA(set)(MODULUS *of, const uint8_t *bytes, unsigned words)
{
    RSA(load)(of->m, bytes, words);
    uint32_t low = of->m[0], inverse = low;
    for (unsigned i = 0; i < 4; i++) {
        inverse *= 2 - low * inverse;
    }
    of->words   = words;
    of->inverse = 0u - inverse;
    return (int)(low & 1);
}

void RSA(load)(uint32_t *z, const uint8_t *bytes, unsigned words)
{
    for (; words-- > 0; bytes += 4) {
        z[words] = load32_be(bytes);
    }
}

void RSA(store)(uint8_t *bytes, const uint32_t *z, unsigned words)
{
    for (; words-- > 0; bytes += 4) {
        store32_be(bytes, z[words]);
    }
}
