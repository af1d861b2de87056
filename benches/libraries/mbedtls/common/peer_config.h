/* mbedTLS with nothing but what is measured; what a primitive.toml chooses comes by options of the compiler. */

#ifndef PEER_CONFIG_H
#define PEER_CONFIG_H

#define MBEDTLS_AES_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA512_C
#define MBEDTLS_SHA512_NO_SHA384
#define MBEDTLS_CHACHA20_C
#define MBEDTLS_POLY1305_C
#define MBEDTLS_CHACHAPOLY_C

/* Curve25519, with numbers whose words come from an array instead of a heap. */
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
#define MBEDTLS_ECP_NO_INTERNAL_RNG
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO peer_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO   peer_free

#include <stddef.h>

void *peer_calloc(size_t count, size_t size);
void  peer_free(void *memory);

#include "mbedtls/check_config.h"

#endif
