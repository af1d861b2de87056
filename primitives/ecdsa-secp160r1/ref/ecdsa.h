/* ECDSA: keys, signatures, verification (SEC 1, version 1.0, section 4.1). */

#ifndef ECDSA_H
#define ECDSA_H

#include "point.h"

typedef struct {
    FIELDP r;
    FIELDP s;
} SIGNATURE;

/* Each returns 1 on success and 0 for invalid arguments. `digest` is the hash of the message as a number below the
 * order, `nonce` a number used for this signature only. */
int ecdsa_public_key(const DOMAIN *domain, const FIELDP *private_key, POINT *public_key);
int ecdsa_sign(const DOMAIN *domain, const FIELDP *private_key, const FIELDP *nonce,
               const FIELDP *digest, SIGNATURE *signature);
int ecdsa_verify(const DOMAIN *domain, const POINT *public_key, const FIELDP *digest,
                 const SIGNATURE *signature);

/* Returns 1 if a number is from 1 to the order less 1. */
int ecdsa_in_range(const DOMAIN *domain, const FIELDP *a);

#endif
