/* Stack of the operations: numbers and a table of 17 powers. The rest is what compilers spill; a test compares the sum
 * with compiled code. */

#ifndef RSA_ROOM_H
#define RSA_ROOM_H

#include "rsa.h"

enum {
    RSA_ROOM_PUBLIC  = 8 * RSA_BYTES + 544,
    RSA_ROOM_PRIVATE = 24 * RSA_BYTES + 544,
    RSA_ROOM_CRT     = 17 * RSA_BYTES + 544,
};

#endif
