/* X25519 by mbedTLS's general curves. */

#include "mbedtls/ecp.h"

static int multiply(const unsigned char secret[32], const unsigned char *peer, unsigned char result[32])
{
    mbedtls_ecp_group group;
    mbedtls_ecp_point point;
    mbedtls_mpi       scalar;
    unsigned char     clamped[32];
    int               failed;

    memcpy(clamped, secret, sizeof clamped);
    clamped[0] &= 0xf8;
    clamped[31] = (clamped[31] & 0x7f) | 0x40;
    mbedtls_ecp_group_init(&group);
    mbedtls_ecp_point_init(&point);
    mbedtls_mpi_init(&scalar);
    failed = mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_CURVE25519);
    failed = failed || mbedtls_mpi_read_binary_le(&scalar, clamped, sizeof clamped);
    failed = failed || (peer && mbedtls_ecp_point_read_binary(&group, &point, peer, 32));
    failed = failed || mbedtls_ecp_mul(&group, &point, &scalar, peer ? &point : &group.G, NULL, NULL);
    failed = failed || mbedtls_mpi_write_binary_le(&point.X, result, 32);
    mbedtls_mpi_free(&scalar);
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_group_free(&group);
    return failed ? -1 : 0;
}

void x25519_public(const unsigned char secret[32], unsigned char public[32])
{
    multiply(secret, NULL, public);
}

int x25519_shared(const unsigned char secret[32], const unsigned char peer[32], unsigned char shared[32])
{
    return multiply(secret, peer, shared);
}
