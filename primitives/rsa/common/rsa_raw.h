/* Raw operations that each implementation provides, without blinding and verification.
 *
 * All refuse numbers that are not below the modulus, and even moduli; exponents may be any number. */

#ifndef RSA_RAW_H
#define RSA_RAW_H

#include "rsa.h"

/* result = message^e mod n, for a public exponent. */
int RSA(raw_public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                    uint8_t result[RSA_BYTES]);

/* result = message^d mod n */
int RSA(raw_private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                     uint8_t result[RSA_BYTES]);

/* result = message^dp mod p and message^dq mod q, where qinv = 1 / q mod p. */
int RSA(raw_private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                         const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                         const uint8_t qinv[RSA_HALF_BYTES], const uint8_t message[RSA_BYTES],
                         uint8_t result[RSA_BYTES]);

/* result = a b mod n */
int RSA(times)(const uint8_t n[RSA_BYTES], const uint8_t a[RSA_BYTES], const uint8_t b[RSA_BYTES],
               uint8_t result[RSA_BYTES]);

/* Returns true if an exponent is odd and not 1. Others have no inverse, or leave a message unchanged. */
int RSA(is_exponent)(const uint8_t *e, size_t size);

#endif
