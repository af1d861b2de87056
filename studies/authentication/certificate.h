/* Certificates: signing by the CA, and verification by the others. */

#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include "member.h"

/* Signs the name and the expiry in the certificate, and a public key; returns 0 on failure. Draws the nonce k
 * (20 bytes), and a new one if r or s is 0. */
int certificate_sign(MEMBER *ca, const uint8_t q[POINT_BYTES], CERTIFICATE *certificate);

/* Checks role, expiry, range and signature, in this order. */
REASON certificate_check(const CERTIFICATE *certificate, uint32_t role, const uint8_t q[POINT_BYTES],
                         const uint8_t ca[POINT_BYTES], uint32_t now);

#endif
