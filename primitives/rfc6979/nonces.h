/* Nonces derived from a secret key and a digest (RFC 6979, section 3.2), for orders of up to 256 bits.
 *
 * The compiler options INNER and OUTER select the hash function and its HMAC (over.h). The hash function may differ
 * from that of the digest (section 3.6). */

#ifndef NONCES_H
#define NONCES_H

#include "over.h"

enum { NONCES_MOST = 32 };

/* The function name of an operation: sha256_nonces_begin() and so on. */
#define NONCES_(operation) OVER_JOIN(OVER_JOIN(INNER, nonces), operation)

typedef struct {
    const uint8_t *order;           /* highest byte first */
    unsigned       bits;            /* of the order */
    int            again;           /* true after the first nonce */
    uint8_t        k[INNER_DIGEST];
    uint8_t        v[INNER_DIGEST];
} NONCES;

/* Takes a secret key as long as the order, and a digest of any length; returns 0, or -1 for a key that is not between 1
 * and the order less 1. */
int NONCES_(begin)(NONCES *own, const uint8_t *order, unsigned bits, const uint8_t *secret, const uint8_t *digest,
                   size_t digest_size);

/* Computes the next nonce, as long as the order, and between 1 and the order less 1. */
void NONCES_(next)(NONCES *own, uint8_t *nonce);

#endif
