/* Domain parameters. */

#ifndef DOMAIN_H
#define DOMAIN_H

#include "point.h"

/* secp160r1: SEC 2, "Recommended elliptic curve domain parameters", version 1.0, section 2.4.2. */
extern const DOMAIN secp160r1;

#endif
