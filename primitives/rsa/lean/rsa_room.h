/* How much of the stack the operations take below their callers: numbers. The rest is what compilers
 * keep there, and a test compares it with what they do. */

#ifndef RSA_ROOM_H
#define RSA_ROOM_H

#include "rsa.h"

enum {
    RSA_ROOM_PUBLIC  = 2 * RSA_BYTES + 384,
    RSA_ROOM_PRIVATE = 2 * RSA_BYTES + 384,
    RSA_ROOM_CRT     = 2 * RSA_BYTES + 544,
};

#endif
