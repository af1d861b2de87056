/* The substitution (FIPS 197, section 5.1.1). */

#include "aes_masked.h"
#include "aes_sbox.h"

#define SAME(a) a
const uint8_t AES(sbox)[256] = {AES_SBOX(SAME)};
