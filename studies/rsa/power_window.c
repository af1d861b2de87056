/* z = x^e by the coprocessor, with windows of 4 bits: the modulus crosses the bus once, and the power only at
 * the end.
 *
 * The sequence of operations is independent of the exponent, as in primitives/rsa/fast/power.c. */

#include "unit.h"

enum { SQUARE = RSA_UNIT_CONTROL_FIRST | RSA_UNIT_CONTROL_SECOND };

/* z = entry `index` of the table, found by reading all entries. */
static void find(uint32_t *z, const uint32_t *table, uint32_t index, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        z[i] = 0;
    }
    for (uint32_t entry = 0; entry < ENTRIES; entry++, table += words) {
        uint32_t mask = 0u - (((entry ^ index) - 1) >> 31);
        for (unsigned i = 0; i < words; i++) {
            z[i] |= table[i] & mask;
        }
    }
}

/* table[i] = x^i; x stays in the unit as one factor, and the previous power is the other. */
static void fill(const MODULUS *of, uint32_t *table, const uint32_t *x)
{
    unsigned words = of->words;
    number_copy(table, of->one, words);
    number_copy(table + words, x, words);
    unit_write_x(x, words);
    unit_write_y(x, words);
    for (unsigned i = 2; i < ENTRIES; i++) {
        unit_multiply(i == 2 ? 0 : RSA_UNIT_CONTROL_SECOND, words);
        unit_read(table + i * words, words);
    }
}

static uint32_t digit_of(const uint8_t *e, size_t i)
{
    return i % 2 == 0 ? (uint32_t)e[i / 2] >> 4 : e[i / 2] & 15u;
}

/* The table has room for one more number, the selected power. The power of the highest digit enters the unit as
 * both factors of the first square. */
void modulus_power(MODULUS *of, uint32_t *z, const uint32_t *x, const uint8_t *e, size_t size,
                   uint32_t *table)
{
    unsigned  words  = of->words;
    uint32_t *factor = table + ENTRIES * words;
    unit_write_m(of->m, words);
    fill(of, table, x);
    find(factor, table, digit_of(e, 0), words);
    unit_write_x(factor, words);
    unit_write_y(factor, words);
    for (size_t i = 1; i < 2 * size; i++) {
        for (unsigned bit = 0; bit < WINDOW; bit++) {
            unit_multiply(i == 1 && bit == 0 ? 0 : SQUARE, words);
        }
        find(factor, table, digit_of(e, i), words);
        unit_write_x(factor, words);
        unit_multiply(RSA_UNIT_CONTROL_SECOND, words);
    }
    unit_read(z, words);
}
