/* ECDH: the shared secret of two parties (SEC 1, version 1.0, section 3.3.1). */

#ifndef ECDH_H
#define ECDH_H

#include "point.h"

/* Computes the shared secret; returns 0 if the other party's point or the private key is invalid. */
int ecdh(const DOMAIN *domain, const FIELDP *private_key, const POINT *public_key, FIELDP *secret);

#endif
