/* The block that encryption of PKCS #1 v1.5 makes of a message: 0, 2, padding, 0, message. */

#ifndef RSA_PKCS1_H
#define RSA_PKCS1_H

#include "rsa.h"

enum { LEAST_PADDING = 8, OVERHEAD = LEAST_PADDING + 3 };

/* Where the message begins, or 0 where the padding is wrong. */
uint32_t RSA(start_of)(const uint8_t block[RSA_BYTES]);

#endif
