/* ECDSA and ECDH over a curve y^2 = x^3 + a x + b of prime order (FIPS 186-4, section 6; SEC 1, version 2.0,
 * sections 3.3.1 and 4.1).
 *
 * -DECDSA_SECP192R1, -DECDSA_SECP256R1 or -DECDSA_SECP256K1 chooses the curve, whose name begins the names of
 * the functions: ecdsa_secp256r1_sign() and so on. */

#ifndef ECDSA_H
#define ECDSA_H

#include <stddef.h>
#include <stdint.h>

#if defined(ECDSA_SECP192R1)
#define ECDSA(name) ecdsa_secp192r1_##name
enum { ECDSA_BYTES = 24 };
#elif defined(ECDSA_SECP256K1)
#define ECDSA(name) ecdsa_secp256k1_##name
enum { ECDSA_BYTES = 32 };
#else
#define ECDSA(name) ecdsa_secp256r1_##name
enum { ECDSA_BYTES = 32 };
#endif

/* All numbers have ECDSA_BYTES bytes, the highest first. A secret and a nonce are refused unless they lie
 * between 1 and n - 1, n being the order; a point is x and y, and refused unless it is on the curve. A
 * digest may have any length: of one that is longer than the order, its first bytes count. */

/* public = secret G; -1 where the secret is refused. */
int ECDSA(public)(const uint8_t secret[ECDSA_BYTES], uint8_t public[2 * ECDSA_BYTES]);

/* r and s for the nonce k, which must be random, secret and new for each signature: two with the same one, or a few
 * bits known of many, give the secret away. -1 where secret or nonce are refused, or r or s would be 0. */
int ECDSA(sign)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                const uint8_t nonce[ECDSA_BYTES], uint8_t signature[2 * ECDSA_BYTES]);

/* The same with a nonce that follows from secret and digest (RFC 6979); -1 where the secret is refused. */
int ECDSA(sign_deterministic)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                              uint8_t signature[2 * ECDSA_BYTES]);

/* 0 if the signature is right, otherwise -1. */
int ECDSA(verify)(const uint8_t public[2 * ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                  const uint8_t signature[2 * ECDSA_BYTES]);

/* shared = x of secret peer; -1 where the secret or the point is refused. */
int ECDSA(shared)(const uint8_t secret[ECDSA_BYTES], const uint8_t peer[2 * ECDSA_BYTES],
                  uint8_t shared[ECDSA_BYTES]);

#endif
