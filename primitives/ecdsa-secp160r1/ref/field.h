/* Integers modulo an odd number of up to 161 bits.
 *
 * Room for 192 bits: the field prime of secp160r1 has 160 bits, the order of its base point 161. The
 * four operations have the prototypes of the modular arithmetic processor in Hau, Khalil-Hani and
 * Marsono, "SystemC-based hardware/software co-design of elliptic curve cryptographic system for
 * network mutual authentication" (2011), listing 2, so that a driver can stand in for each. */

#ifndef FIELD_H
#define FIELD_H

#include <stddef.h>
#include <stdint.h>

enum { FIELD_WORDS = 6, FIELD_BITS = 161 };

/* Least significant word first. */
typedef struct {
    uint32_t w[FIELD_WORDS];
} FIELDP;

/* z = y op x mod m, for y and x below m and m odd. mod_div gives 0 if x has no inverse. */
void mod_add(FIELDP y, FIELDP x, FIELDP m, FIELDP *z);
void mod_sub(FIELDP y, FIELDP x, FIELDP m, FIELDP *z);
void mod_mul(FIELDP y, FIELDP x, FIELDP m, FIELDP *z);
void mod_div(FIELDP y, FIELDP x, FIELDP m, FIELDP *z);

/* Helpers, always in software. */
int      field_is_zero(const FIELDP *a);
int      field_compare(const FIELDP *a, const FIELDP *b);  /* below 0, 0, above 0          */
uint32_t field_plus(FIELDP *a, const FIELDP *b);           /* a += b, returns the carry    */
uint32_t field_minus(FIELDP *a, const FIELDP *b);          /* a -= b, returns the borrow   */
void     field_halve(FIELDP *a);                           /* a /= 2, rounded down         */
int      field_bit(const FIELDP *a, unsigned bit);
unsigned field_length(const FIELDP *a);                    /* bits without leading zeros   */

/* Big-endian octet strings; the excess is cut off at the front. */
void field_from_bytes(FIELDP *a, const uint8_t *bytes, size_t size);
void field_to_bytes(const FIELDP *a, uint8_t *bytes, size_t size);

/* Overwrites memory so that compilers cannot omit it. */
void wipe(void *at, size_t size);

#endif
