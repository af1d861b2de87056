/* The table for decryption (FIPS 197, sections 5.3.2 and 5.3.3), which the compiler computes from the inverse S-box. */

#include "aes_tables.h"
#include "aes_products.h"
#include "aes_sbox.h"

AES_TABLE AES(backward) = {AES_INVERSE_SBOX(UNMIXED)};
