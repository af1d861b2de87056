/* The constants Sigma1 to Sigma6, of which 128-bit keys use four (RFC 3713, section 2.2). */

#ifndef CAMELLIA_SIGMA_H
#define CAMELLIA_SIGMA_H

#include <stdint.h>

static const uint32_t camellia_sigma[CAMELLIA_KEY_BYTES == 16 ? 4 : 6][2] = {
    {0xa09e667f, 0x3bcc908b}, {0xb67ae858, 0x4caa73b2}, {0xc6ef372f, 0xe94f82be}, {0x54ff53a5, 0xf1d36f1c},
#if CAMELLIA_KEY_BYTES > 16
    {0x10e527fa, 0xde682d1d}, {0xb05688c2, 0xb3e6c1fd},
#endif
};

#endif
