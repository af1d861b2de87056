/* Public keys of X25519 with the combs of Ed25519: the base points are equivalent (RFC 7748, section 4.1). */

#include "x25519.h"

#include "ge25519.h"
#include "wiping.h"

void x25519_public(const uint8_t secret[X25519_BYTES], uint8_t public[X25519_BYTES])
{
    SC25519 scalar;
    GE25519 point;
    sc25519_load(scalar, secret);
    scalar[0] &= 0xfffffff8;
    scalar[SC25519_WORDS - 1] = (scalar[SC25519_WORDS - 1] & 0x3fffffff) | 0x40000000;
    uintptr_t depth = ge25519_multiply_base(&point, scalar);
    /* u = (1 + y) / (1 - y) */
    fe25519_add(point.x, point.z, point.y);
    fe25519_subtract(point.y, point.z, point.y);
    depth = deeper(depth, fe25519_invert(point.z, point.y, point.room));
    fe25519_multiply(point.x, point.x, point.z);
    fe25519_store(public, point.x);
    wipe_aligned(scalar, sizeof scalar);
    wipe_aligned(&point, sizeof point);
    wipe_below(depth);
}
