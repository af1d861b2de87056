/* Constant-time scalar multiplication: digits that are never 0, with table look-ups that read all entries.
 *
 * An odd k is a sum of 2^i with signs, positive where bit i of k / 2 + 2^(length - 1) is 1 (M. Hedabou, P. Pinel, L.
 * Beneteau, "Countermeasures for preventing comb method against SCA attacks", 2005). For an even k, n - k, which is
 * odd, is used. */

#include "bytes.h"
#include "comb.h"
#include "words.h"

/* odd = k or n - k; returns ~0 for n - k, otherwise 0. */
static uint32_t make_odd(NUMBER *odd, const NUMBER *k)
{
    uint32_t even = (k->w[0] & 1) - 1;
    (void)number_subtract(odd, &curve.n.m, k);
    number_choose(odd, odd, k, even);
    return even;
}

/* The sign of 2^i in a recoding with `length` signs. */
static uint32_t sign_at(const NUMBER *odd, unsigned i, unsigned length)
{
    if (i + 1 < BITS) {
        return odd->w[(i + 1) / 32] >> (i + 1) % 32 & 1;
    }
    return i + 1 == length;
}

/* y = -y if mask is ~0; y is not 0, because the order is odd. */
static void negate(NUMBER *y, uint32_t mask)
{
    NUMBER other;
    (void)number_subtract(&other, &curve.p.m, y);
    number_choose(y, &other, y, mask);
}

/* z = x or y of the entry with the wanted index. */
#define COLLECT(coordinate) \
    ROLLED \
    for (uint32_t entry = 0; entry < entries; entry++) { \
        uint32_t mask = 0 - (((entry ^ index) - 1) >> 31); \
        const NUMBER *from = &table[entry].coordinate; \
        EACH_WORD(TAKE) \
    } \
    NUMBER *to = &z->coordinate; \
    EACH_WORD(STORE)

#define CLEAR(i) words[i] = 0;
#define TAKE(i)  words[i] |= from->w[i] & mask;
#define STORE(i) to->w[i] = words[i];

static void choose_x(AFFINE *z, const AFFINE *table, uint32_t entries, uint32_t index)
{
    uint32_t words[WORDS];
    EACH_WORD(CLEAR)
    COLLECT(x)
}

static void choose_y(AFFINE *z, const AFFINE *table, uint32_t entries, uint32_t index)
{
    uint32_t words[WORDS];
    EACH_WORD(CLEAR)
    COLLECT(y)
}

void point_choose(AFFINE *z, const AFFINE *table, uint32_t entries, uint32_t digit)
{
    uint32_t minus = opaque(0u - is_less(digit, entries));
    uint32_t index = (digit ^ minus) & (entries - 1);
    choose_x(z, table, entries, index);
    choose_y(z, table, entries, index);
    negate(&z->y, minus);
}

/* r += entry. Before the last addition r is neither the entry nor its negative: r - entry and r + entry are nonzero
 * multiples of the point below n. Those of the comb come close to n in its last column, where all signs that might give
 * n have been checked: none does. The last sum is k times the point and not neutral, but for one or two values of k it
 * doubles the entry. */
static void add_entry(JACOBIAN *r, const AFFINE *entry, int is_last)
{
    if (is_last) {
        point_add_masked(r, entry);
    } else {
        point_add_other(r, entry);
    }
}

/* Four signs form a digit from -15 to 15. */
void point_multiply(JACOBIAN *r, const NUMBER *k, const AFFINE *p)
{
    AFFINE   table[TABLE], entry;
    NUMBER   odd;
    uint32_t even = make_odd(&odd, k);
    point_table(table, p);
    for (unsigned i = BITS; i > 0; i -= 4) {
        uint32_t digit = 0;
        for (unsigned bit = 1; bit <= 4; bit++) {
            digit = digit << 1 | sign_at(&odd, i - bit, BITS);
        }
        point_choose(&entry, table, TABLE, digit);
        if (i == BITS) {
            *r = (JACOBIAN){entry.x, entry.y, curve.one};
            continue;
        }
        for (unsigned bit = 0; bit < 4; bit++) {
            point_double(r);
        }
        add_entry(r, &entry, i == 4);
    }
    negate(&r->y, even);
    wipe(&odd, sizeof odd);
    wipe(&entry, sizeof entry);
}

void base_entry(AFFINE *z, const NUMBER *odd, unsigned column, unsigned table)
{
    uint32_t digit = 0;
    for (unsigned tooth = COMB_TEETH; tooth-- > 0;) {
        digit = digit << 1 | sign_at(odd, column + COMB_SPACING * (table + COMB_TABLES * tooth), COMB_LENGTH);
    }
    point_choose(z, comb[table], COMB_ENTRIES, digit);
}

/* The product with G by a comb (C. H. Lim, P. J. Lee, "More flexible exponentiation with precomputation", 1994). */
void base_multiply(JACOBIAN *r, const NUMBER *k)
{
    NUMBER   odd;
    AFFINE   entry;
    uint32_t even = make_odd(&odd, k);
    base_entry(&entry, &odd, COMB_SPACING - 1, 0);
    *r = (JACOBIAN){entry.x, entry.y, curve.one};
    for (unsigned column = COMB_SPACING; column-- > 0;) {
        for (unsigned table = column == COMB_SPACING - 1; table < COMB_TABLES; table++) {
            base_entry(&entry, &odd, column, table);
            add_entry(r, &entry, column == 0 && table == COMB_TABLES - 1);
        }
        if (column > 0) {
            point_double(r);
        }
    }
    negate(&r->y, even);
    wipe(&odd, sizeof odd);
    wipe(&entry, sizeof entry);
}
