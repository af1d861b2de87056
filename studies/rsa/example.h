/* The example for the size that RSA_BITS says. */

#ifndef EXAMPLE_H
#define EXAMPLE_H

#include "rsa.h"

#if RSA_BITS == 1024
#include "example1024.h"
#else
#include "example2048.h"
#endif

/* What the operation gave. */
uint8_t output[RSA_BYTES];

#endif
