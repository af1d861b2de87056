/* Stack of the operations: numbers. The rest is what compilers spill; a test compares the sum with compiled code. */

#ifndef RSA_ROOM_H
#define RSA_ROOM_H

#include "rsa.h"

enum {
    RSA_ROOM_PUBLIC  = 2 * RSA_BYTES + 384,
    RSA_ROOM_PRIVATE = 2 * RSA_BYTES + 384,
    RSA_ROOM_CRT     = 2 * RSA_BYTES + 544,
};

#endif
