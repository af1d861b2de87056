/* Exponentiation with secret exponents: windows of 4 bits, with table look-ups that read all entries. */

#include "fast.h"

/* z = entry `index` of the table, a block at a time; reads all entries. */
static void find(uint32_t *z, const uint32_t *table, uint32_t index, unsigned words)
{
    for (unsigned i = 0; i < words; i += BLOCK) {
        uint32_t        found[BLOCK];
        const uint32_t *from = table + i;
#define CLEAR(k) found[k] = 0;
        EACH_WORD(CLEAR)
#undef CLEAR
        ROLLED
        for (uint32_t entry = 0; entry < ENTRIES; entry++, from += words) {
            uint32_t mask = 0 - (((entry ^ index) - 1) >> 31);
#define TAKE(k) found[k] |= from[k] & mask;
            EACH_WORD(TAKE)
#undef TAKE
        }
#define STORE(k) z[i + k] = found[k];
        EACH_WORD(STORE)
#undef STORE
    }
}

/* table[i] = x^i */
static void fill(MODULUS *of, uint32_t *table, const uint32_t *x)
{
    unsigned words = of->words;
    number_copy(table, of->one, words);
    number_copy(table + words, x, words);
    for (unsigned i = 2; i < ENTRIES; i++) {
        uint32_t *entry = table + i * words;
        if (i % 2 == 0) {
            modulus_square(of, entry, table + i / 2 * words);
        } else {
            modulus_multiply(of, entry, entry - words, x);
        }
    }
}

/* The table has room for one more number, the selected power. */
void modulus_power(MODULUS *of, uint32_t *z, const uint32_t *x, const uint8_t *e, size_t size,
                   uint32_t *table)
{
    uint32_t *factor = table + ENTRIES * of->words;
    fill(of, table, x);
    number_copy(z, of->one, of->words);
    for (size_t i = 0; i < 2 * size; i++) {
        uint32_t digit = i % 2 == 0 ? (uint32_t)e[i / 2] >> 4 : e[i / 2] & 15u;
        find(factor, table, digit, of->words);
        if (i == 0) {
            number_copy(z, factor, of->words);
            continue;
        }
        for (unsigned bit = 0; bit < WINDOW; bit++) {
            modulus_square(of, z, z);
        }
        modulus_multiply(of, z, z, factor);
    }
}
