/* Certificates: what a CA signs, and what others make sure of. */

#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include "member.h"

/* Signs name and expiry, which stand in the certificate, and a public key; returns 0 if it could not be done.
 * Draws the nonce k (20 bytes), again if r or s came out as 0. */
int certificate_sign(MEMBER *ca, const uint8_t q[POINT_BYTES], CERTIFICATE *certificate);

/* Role, expiry, range, signature, in this order. */
REASON certificate_check(const CERTIFICATE *certificate, uint32_t role, const uint8_t q[POINT_BYTES],
                         const uint8_t ca[POINT_BYTES], uint32_t now);

#endif
