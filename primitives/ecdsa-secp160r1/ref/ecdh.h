/* ECDH: a secret that two parties share (SEC 1, version 1.0, section 3.3.1). */

#ifndef ECDH_H
#define ECDH_H

#include "point.h"

/* The shared secret; returns 0 where the other party's point or the private key cannot be used. */
int ecdh(const DOMAIN *domain, const FIELDP *private_key, const POINT *public_key, FIELDP *secret);

#endif
