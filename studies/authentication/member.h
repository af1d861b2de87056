/* The state and functions that all roles share: identity, random numbers, time, keys and certificates. */

#ifndef MEMBER_H
#define MEMBER_H

#include "ecdsa.h"
#include "prng.h"
#include "protocol.h"

typedef struct {
    const PARAMETERS *parameters;
    IDENTITY         *identity;
    PRNG              random;
    uint32_t          now; /* seconds since 1970 */
} MEMBER;

void member_init(MEMBER *member, const PARAMETERS *parameters, IDENTITY *identity);
void member_wipe(MEMBER *member);

void member_random(MEMBER *member, uint8_t *bytes, size_t size);

/* Draws a private key or a nonce: 20 random bytes, less than the order n with 2^160 < n < 2^160 + 2^81. The missing
 * range from 2^160 to n is too small to be noticed. Zero, which is invalid, becomes 1. */
void member_random_number(MEMBER *member, FIELDP *number);

/* Draws d (20 bytes) and computes Q. */
void member_make_keys(MEMBER *member);

/* Makes the node's request for a certificate to its CA, and handles the answer. */
void   member_enrol(const MEMBER *member, MESSAGE *out);
REASON member_take_certificate(MEMBER *member, const MESSAGE *in, OUTCOME *outcome);

#endif
