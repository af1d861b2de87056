/* The S-box as the circuit of Boyar and Peralta ("A small depth-16 circuit for the AES S-box", 2012). */

#ifndef AES_SUBSTITUTION_H
#define AES_SUBSTITUTION_H

#include "aes_slices.h"

/* The constant 0x63 that SubBytes adds to every byte at the end (section 5.1.1): bits 0, 1, 5 and 6. It is folded into
 * the round keys, because ShiftRows and MixColumns do not change it. */
#define AES_INVERTED {AES_LOW, AES_LOW | ~AES_LOW, ~AES_LOW, 0}

/* The eight bits of all bytes, one word for each bit; bits outside the low nibbles are ignored. */
typedef struct {
    uint32_t b[8];
} AES_BITS;

static inline AES_BITS aes_bits(AES_BLOCK s)
{
    return (AES_BITS){{s.a, s.b, s.c, s.d, s.a >> 4, s.b >> 4, s.c >> 4, s.d >> 4}};
}

/* Joins two bits, each in the low nibbles of a word, into one slice. */
static inline uint32_t aes_joined(uint32_t low, uint32_t high)
{
    return ((low ^ high << 4) & AES_LOW) ^ high << 4;
}

static inline AES_BLOCK aes_slices(const AES_BITS *s)
{
    return (AES_BLOCK){aes_joined(s->b[0], s->b[4]), aes_joined(s->b[1], s->b[5]), aes_joined(s->b[2], s->b[6]),
                       aes_joined(s->b[3], s->b[7])};
}

/* SubBytes (section 5.1.1), without AES_INVERTED. */
static inline AES_BITS aes_substituted(AES_BITS s)
{
    uint32_t x0 = s.b[7], x1 = s.b[6], x2 = s.b[5], x3 = s.b[4], x4 = s.b[3], x5 = s.b[2], x6 = s.b[1], x7 = s.b[0];

    /* Linear layer into the tower field. */
    uint32_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7;
    uint32_t y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12;
    uint32_t y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11;
    uint32_t y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* Inversion. */
    uint32_t t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2, t7 = y13 & y16;
    uint32_t t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7, t12 = y9 & y11;
    uint32_t t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    uint32_t t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
    uint32_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22;
    uint32_t t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33;
    uint32_t t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38;
    uint32_t t40 = t25 ^ t39, t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37;
    uint32_t t45 = t42 ^ t41;
    uint32_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    uint32_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    uint32_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* Linear layer back from the tower field, and the affine map. */
    uint32_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12;
    uint32_t t51 = z2 ^ z5, t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48;
    uint32_t t57 = t50 ^ t53, t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57;
    uint32_t t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63;
    uint32_t t67 = t64 ^ t65, s3 = t53 ^ t66;
    return (AES_BITS){{t48 ^ t60, t56 ^ t62, t47 ^ t65, t51 ^ t66, s3, t55 ^ t67, t64 ^ s3, t59 ^ t63}};
}

/* The inverse of the affine map, without AES_INVERTED. */
static inline AES_BITS aes_unmapped(AES_BITS s)
{
#define SUM(i) (s.b[((i) + 7) % 8] ^ s.b[((i) + 5) % 8] ^ s.b[((i) + 2) % 8])
    return (AES_BITS){{SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7)}};
#undef SUM
}

#endif
