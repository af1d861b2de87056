/* ECDSA and ECDH over a curve y^2 = x^3 + a x + b of prime order (FIPS 186-4, section 6; SEC 1, version 2.0, sections
 * 3.3.1 and 4.1).
 *
 * -DECDSA_SECP192R1, -DECDSA_SECP256R1 or -DECDSA_SECP256K1 selects the curve, whose name is the prefix of the function
 * names: ecdsa_secp256r1_sign() and so on. */

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

/* All numbers have ECDSA_BYTES bytes, highest first. A secret and a nonce must be between 1 and n - 1, where n is the
 * order; a point is x and y, and must be on the curve; otherwise they are refused. A digest may have any length: of one
 * that is longer than the order, the first bytes are used. */

/* public = secret G. Returns 0, or -1 if the secret is refused. */
int ECDSA(public)(const uint8_t secret[ECDSA_BYTES], uint8_t public[2 * ECDSA_BYTES]);

/* Computes r and s with the nonce k, which must be random, secret and new for each signature: two signatures with the
 * same nonce, or a few known bits of many nonces, reveal the secret. Returns 0, or -1 if secret or nonce are refused,
 * or if r or s would be 0. */
int ECDSA(sign)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                const uint8_t nonce[ECDSA_BYTES], uint8_t signature[2 * ECDSA_BYTES]);

/* Signs with a nonce derived from secret and digest (RFC 6979). Returns 0, or -1 if the secret is refused. */
int ECDSA(sign_deterministic)(const uint8_t secret[ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                              uint8_t signature[2 * ECDSA_BYTES]);

/* Returns 0 if the signature is valid, otherwise -1. */
int ECDSA(verify)(const uint8_t public[2 * ECDSA_BYTES], const uint8_t *digest, size_t digest_size,
                  const uint8_t signature[2 * ECDSA_BYTES]);

/* shared = x of secret peer. Returns 0, or -1 if the secret or the point is refused. */
int ECDSA(shared)(const uint8_t secret[ECDSA_BYTES], const uint8_t peer[2 * ECDSA_BYTES],
                  uint8_t shared[ECDSA_BYTES]);

#endif
