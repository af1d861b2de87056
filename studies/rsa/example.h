/* The example for the size RSA_BITS. */

#ifndef EXAMPLE_H
#define EXAMPLE_H

#include "rsa.h"

#if RSA_BITS == 1024
#include "example1024.h"
#else
#include "example2048.h"
#endif

/* The result of the operation. */
uint8_t output[RSA_BYTES];

#endif
