/* What all roles have: an identity, random numbers, the time; keys and certificates. */

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

/* A number for a private key or a nonce: 20 random bytes. As a number they are below the order, which is 2^160 and
 * less than 2^81 more; that they never reach these last ones nobody can tell. Zero, which must not be, becomes 1. */
void member_random_number(MEMBER *member, FIELDP *number);

/* Draws d (20 bytes) and computes Q. */
void member_make_keys(MEMBER *member);

/* The node's request for a certificate, to its CA; and what it makes of the answer. */
void   member_enrol(const MEMBER *member, MESSAGE *out);
REASON member_take_certificate(MEMBER *member, const MESSAGE *in, OUTCOME *outcome);

#endif
