/* The table for encryption (FIPS 197, sections 5.1.1 and 5.1.3), which the compiler computes from the S-box. */

#include "aes_tables.h"
#include "aes_products.h"
#include "aes_sbox.h"

AES_TABLE AES(forward) = {AES_SBOX(MIXED)};
