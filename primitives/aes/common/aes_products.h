/* Products of a byte with the coefficients of MixColumns and InvMixColumns (FIPS 197, sections 5.1.3 and 5.3.3), for
 * tables that the compiler computes from the S-box. */

#ifndef AES_PRODUCTS_H
#define AES_PRODUCTS_H

#define BY2(s) ((uint32_t)((s) << 1 ^ ((s) >> 7) * 0x11b))
#define BY3(s) (BY2(s) ^ (s))
#define BY4(s) BY2(BY2(s))
#define BY8(s) BY2(BY4(s))
#define BY9(s) (BY8(s) ^ (s))
#define BY11(s) (BY8(s) ^ BY2(s) ^ (s))
#define BY13(s) (BY8(s) ^ BY4(s) ^ (s))
#define BY14(s) (BY8(s) ^ BY4(s) ^ BY2(s))
#define WORD(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* MixColumns and InvMixColumns of a column that has the byte in row 0 and zeros elsewhere. */
#define MIXED(s) WORD(BY2(s), s, s, BY3(s))
#define UNMIXED(s) WORD(BY14(s), BY9(s), BY13(s), BY11(s))

#endif
