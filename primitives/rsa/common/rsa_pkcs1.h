/* The encoded message of PKCS #1 v1.5 encryption: 0, 2, padding, 0, message. */

#ifndef RSA_PKCS1_H
#define RSA_PKCS1_H

#include "rsa.h"

enum { LEAST_PADDING = 8, OVERHEAD = LEAST_PADDING + 3 };

/* The offset of the message, or 0 if the padding is wrong. */
uint32_t RSA(start_of)(const uint8_t block[RSA_BYTES]);

#endif
