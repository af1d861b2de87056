/* Helpers of the four operations: words, octets, wiping.
 *
 * With FIELD_STEADY carries are taken from sums of 64 bits: without conditional instructions, as on a Cortex-M0, a
 * comparison becomes a branch. */

#include "field.h"

int field_is_zero(const FIELDP *a)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
        any |= a->w[i];
    }
    return any == 0;
}

int field_compare(const FIELDP *a, const FIELDP *b)
{
    for (unsigned i = FIELD_WORDS; i-- > 0;) {
        if (a->w[i] != b->w[i]) {
            return a->w[i] < b->w[i] ? -1 : 1;
        }
    }
    return 0;
}

uint32_t field_plus(FIELDP *a, const FIELDP *b)
{
    uint32_t carry = 0;
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
#ifdef FIELD_STEADY
        uint64_t sum = (uint64_t)a->w[i] + b->w[i] + carry;
        a->w[i]      = (uint32_t)sum;
        carry        = (uint32_t)(sum >> 32);
#else
        uint32_t sum   = a->w[i] + carry;
        uint32_t first = sum < carry;
        a->w[i]        = sum + b->w[i];
        carry          = first | (a->w[i] < sum);
#endif
    }
    return carry;
}

uint32_t field_minus(FIELDP *a, const FIELDP *b)
{
    uint32_t borrow = 0;
    for (unsigned i = 0; i < FIELD_WORDS; i++) {
#ifdef FIELD_STEADY
        uint64_t rest = (uint64_t)a->w[i] - b->w[i] - borrow;
        a->w[i]       = (uint32_t)rest;
        borrow        = (uint32_t)(rest >> 63);
#else
        uint32_t rest  = a->w[i] - borrow;
        uint32_t first = a->w[i] < borrow;
        borrow         = first | (rest < b->w[i]);
        a->w[i]        = rest - b->w[i];
#endif
    }
    return borrow;
}

void field_halve(FIELDP *a)
{
    for (unsigned i = 0; i + 1 < FIELD_WORDS; i++) {
        a->w[i] = a->w[i] >> 1 | a->w[i + 1] << 31;
    }
    a->w[FIELD_WORDS - 1] >>= 1;
}

int field_bit(const FIELDP *a, unsigned bit)
{
    return (int)(a->w[bit / 32] >> bit % 32 & 1u);
}

unsigned field_length(const FIELDP *a)
{
    unsigned length = 32 * FIELD_WORDS;
    while (length > 0 && !field_bit(a, length - 1)) {
        length--;
    }
    return length;
}

void field_from_bytes(FIELDP *a, const uint8_t *bytes, size_t size)
{
    *a = (FIELDP){{0}};
    for (size_t i = 0; i < size && i < 4 * FIELD_WORDS; i++) {
        a->w[i / 4] |= (uint32_t)bytes[size - 1 - i] << 8 * (i % 4);
    }
}

void field_to_bytes(const FIELDP *a, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t word       = i < 4 * FIELD_WORDS ? a->w[i / 4] : 0;
        bytes[size - 1 - i] = (uint8_t)(word >> 8 * (i % 4));
    }
}

void wipe(void *at, size_t size)
{
    volatile uint8_t *byte = at;
    if (((uintptr_t)at & 3u) == 0) {
        volatile uint32_t *word = at;
        for (; size >= 4; size -= 4) {
            *word++ = 0;
        }
        byte = (volatile uint8_t *)word;
    }
    while (size-- > 0) {
        *byte++ = 0;
    }
}
