/* ECDSA and ECDH on secp160r1 with the interface of all curves: numbers are bytes, highest first. The order has 161
 * bits, so that secret keys, nonces, r and s take 21 bytes. */

#ifndef ECDSA_SECP160R1_H
#define ECDSA_SECP160R1_H

#include <stddef.h>
#include <stdint.h>

enum { SECP160R1_FIELD_BYTES = 20, SECP160R1_ORDER_BYTES = 21, SECP160R1_ORDER_BITS = 161 };

/* Each returns 0, or -1 if it refuses an argument. A public key is x and y. A digest may have any length: of one with
 * more bits than the order, the first 161 are used. A nonce must be random, secret and new for each signature; without
 * a nonce it is derived from secret and digest (RFC 6979). */
int ecdsa_secp160r1_public(const uint8_t secret[21], uint8_t public[40]);
int ecdsa_secp160r1_sign(const uint8_t secret[21], const uint8_t *digest, size_t digest_size, const uint8_t nonce[21],
                         uint8_t signature[42]);
int ecdsa_secp160r1_sign_deterministic(const uint8_t secret[21], const uint8_t *digest, size_t digest_size,
                                       uint8_t signature[42]);
int ecdsa_secp160r1_verify(const uint8_t public[40], const uint8_t *digest, size_t digest_size,
                           const uint8_t signature[42]);
int ecdsa_secp160r1_shared(const uint8_t secret[21], const uint8_t peer[40], uint8_t shared[20]);

#endif
