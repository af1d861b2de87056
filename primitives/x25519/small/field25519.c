/* The field GF(2^255 - 19) in little code, on words of 32 bits. */

#include "field25519.h"
#include "wiping.h"

/* Stack of 64-bit products, on cores where the compiler's library computes them. */
STACK_ROOM(room, 32)

/* Adds a * factor to t; returns the carry. */
static inline uint32_t add_row(uint32_t *t, const uint32_t *a, uint32_t factor)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        uint64_t sum = (uint64_t)a[i] * factor + t[i] + carry;
        t[i]         = (uint32_t)sum;
        carry        = (uint32_t)(sum >> 32);
    }
    return carry;
}

/* Subtraction by complement: 2^256 - 1 - x is 37 - x in the field, so the subtrahend is added to the complement, and
 * the sum is complemented again. The part above 2^256 is folded by 38; after three times nothing is left above. */
uintptr_t field_step(FIELD *registers, uint32_t step)
{
    uint32_t *t = registers[PRODUCT], *end = t + 2 * FIELD_WORDS, minus = -(step / MINUS);
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        t[i] = registers[step >> 8 & 15][i] ^ minus;
    }
    for (unsigned i = 0; i < FIELD_WORDS + 3; i++) {
        uint32_t       *to     = t;
        const uint32_t *from   = t + FIELD_WORDS;
        uint32_t        factor = 38;
        if (i < FIELD_WORDS) {
            to += i;
            from   = registers[step >> 4 & 15];
            factor = registers[step & 15][i];
        }
        factor = add_row(to, from, factor);
        to += FIELD_WORDS;
        *to = factor;
        while (++to < end) {
            *to = 0;
        }
    }
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        registers[step >> 12 & 15][i] = t[i] ^ minus;
    }
    return no_tail_call(room());
}

void field_run(FIELD *registers, const uint16_t *program, unsigned steps, uint32_t minus)
{
    for (; steps > 0; steps--, minus >>= 1) {
        field_step(registers, *program++ | (minus & 1) * MINUS);
    }
}

uintptr_t field_power(FIELD *registers, unsigned r, unsigned a, unsigned top, unsigned zeros)
{
    uintptr_t depth = field_step(registers, STEP(r, ZERO, a, ONE));
    while (top-- > 0) {
        field_step(registers, STEP(r, ZERO, r, r));
        if (top > 4 || (zeros >> top & 1) == 0) {
            field_step(registers, STEP(r, ZERO, r, a));
        }
    }
    return no_tail_call(depth);
}

void field_clear(FIELD *registers, unsigned number)
{
    wipe(registers, number * sizeof(FIELD));
    registers[ONE][0] = 1;
}

void field_load(FIELD r, const uint8_t bytes[FIELD_BYTES])
{
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        r[i] = load32_le(bytes + 4 * i);
    }
}

/* Subtracts the prime as many times as the bits from 2^255 on say after an addition of 19; twice, since an element may
 * exceed the reduced range by two primes. */
void field_store(uint8_t bytes[FIELD_BYTES], FIELD a)
{
    for (unsigned times = 0; times < 2; times++) {
        uint32_t carry = 19;
        for (unsigned i = 0; i < FIELD_WORDS - 1; i++) {
            carry = is_less(a[i] + carry, carry);
        }
        carry = (uint32_t)(((uint64_t)a[FIELD_WORDS - 1] + carry) >> 31) * 19;
        for (unsigned i = 0; i < FIELD_WORDS; i++) {
            a[i] += carry;
            carry = is_less(a[i], carry);
        }
        a[FIELD_WORDS - 1] &= 0x7fffffff;
    }
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        store32_le(bytes + 4 * i, a[i]);
    }
}
