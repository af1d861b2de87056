/* Verification of signatures (FIPS 186-4, section 6.4); all its data are public. */

#include "comb.h"
#include "fast.h"

enum { WINDOW = 16 };

/* Computes the width-5 NAF of k, one digit per bit, 0 or odd, from -15 to 15: from an odd k a digit is subtracted that
 * leaves a multiple of 32 ("Guide to Elliptic Curve Cryptography", algorithm 3.35). */
static void recode(int8_t digits[BITS + 1], NUMBER k)
{
    for (unsigned i = 0; i <= BITS; i++) {
        int32_t digit = 0;
        if (k.w[0] & 1) {
            digit = (int32_t)(k.w[0] % (2 * WINDOW));
            digit -= digit > WINDOW ? 2 * WINDOW : 0;
        }
        digits[i] = (int8_t)digit;
        /* (k - digit) / 2; the digit may be negative, so that there may be a carry out. */
        int64_t sum = (int64_t)k.w[0] - digit;
        for (unsigned j = 0; j < WORDS; j++) {
            uint32_t low  = (uint32_t)sum;
            int64_t  next = j + 1 < WORDS ? k.w[j + 1] : 0;
            sum           = (sum >> 32) + next;
            k.w[j]        = low >> 1 | (uint32_t)sum << 31;
        }
    }
}

/* r = r + the multiple of the point by an odd digit, from the table. */
static void add_digit(JACOBIAN *r, const AFFINE table[TABLE], int digit)
{
    AFFINE entry = table[(digit < 0 ? -digit : digit) / 2];
    if (digit < 0) {
        (void)number_subtract(&entry.y, &curve.p.m, &entry.y);
    }
    point_add(r, &entry);
}

/* r = u q + v G. The comb for v, which is made odd, runs during the last doublings. */
static void multiply(JACOBIAN *r, const NUMBER *u, const AFFINE *q, const NUMBER *v)
{
    AFFINE table[TABLE], entry;
    int8_t digits[BITS + 1];
    NUMBER odd  = *v;
    int    none = number_is_zero(v), even = !(v->w[0] & 1);
    point_table(table, q);
    recode(digits, *u);
    if (even) {
        (void)number_subtract(&odd, &curve.n.m, v);
    }
    *r = (JACOBIAN){curve.one, curve.one, {{0}}};
    for (unsigned i = BITS + 1; i-- > 0;) {
        point_double(r);
        if (digits[i] != 0) {
            add_digit(r, table, digits[i]);
        }
        for (unsigned j = 0; j < COMB_TABLES && i < COMB_SPACING && !none; j++) {
            base_entry(&entry, &odd, i, j);
            if (even) {
                (void)number_subtract(&entry.y, &curve.p.m, &entry.y);
            }
            point_add(r, &entry);
        }
    }
}

/* Returns true if x of a point is r or, since x may be above n, r + n. */
static int is_x(const JACOBIAN *p, const NUMBER *r)
{
    NUMBER square, x, next = *r;
    field_square(&square, &p->z);
    for (;;) {
        field_to_montgomery(&x, &next);
        field_multiply(&x, &x, &square);
        field_subtract(&x, &x, &p->x);
        if (number_is_zero(&x)) {
            return 1;
        }
        NUMBER room;
        (void)number_subtract(&room, &curve.p.m, &curve.n.m);
        if (!number_is_below(&next, &room)) {
            return 0;
        }
        field_add(&next, &next, &curve.n.m);
    }
}

int ECDSA(verify)(const uint8_t public[2 * ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                  const uint8_t signature[2 * ECDSA_BYTES])
{
    AFFINE   q;
    NUMBER   r, s, u, v;
    JACOBIAN sum;
    if (!scalar_load(&r, signature) || !scalar_load(&s, signature + ECDSA_BYTES) || !point_load(&q, public)) {
        return -1;
    }
    digest_load(&v, digest, digest_size);
    number_invert(&s, &s, &curve.n);
    order_multiply(&s, &s, &curve.n.square);
    order_multiply(&u, &s, &r);
    order_multiply(&v, &s, &v);
    multiply(&sum, &u, &q, &v);
    return number_is_zero(&sum.z) || !is_x(&sum, &r) ? -1 : 0;
}
