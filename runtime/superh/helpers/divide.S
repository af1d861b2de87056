/* 32-bit quotients, which GCC calls by conventions of their own: the dividend in R4, the divisor in R5, the result in R0, and
 * nothing else is changed but T. A divisor of 0 gives all ones, and 1 for a negative dividend.
 *
 * Sources: names and registers, GCC, `config/sh/sh.md`; the steps of a division, "SH-1/SH-2/SH-DSP Programming Manual",
 * section 6, DIV1. */

    .macro  begin name, other
    .section .text.\name, "ax", @progbits
    .balign 4
    .globl  \name, \other
    .type   \name, @function
    .type   \other, @function
\name:
\other:
    .endm

    .macro  finish name, other
    .size   \name, . - \name
    .size   \other, . - \other
    .endm

/* R0 = R4 / R5 without signs, by way of R1, which holds the rest while quotient bits enter R0 at its end. */
    .macro  divide
    mov     #0, r1
    mov     r4, r0
    div0u
    .rept   32
    rotcl   r0
    div1    r5, r1
    .endr
    rotcl   r0
    .endm

    .macro  magnitude register
    cmp/pz  \register
    bt      1f
    neg     \register, \register
1:
    .endm

    begin   __udivsi3_i4i, __udivsi3
    mov.l   r1, @-r15
    divide
    rts
    mov.l   @r15+, r1
    finish  __udivsi3_i4i, __udivsi3

    begin   __sdivsi3_i4i, __sdivsi3
    mov.l   r1, @-r15
    mov.l   r2, @-r15
    mov.l   r4, @-r15
    mov.l   r5, @-r15
    mov     r4, r2
    xor     r5, r2
    magnitude r4
    magnitude r5
    divide
    cmp/pz  r2
    bt      2f
    neg     r0, r0
2:  mov.l   @r15+, r5
    mov.l   @r15+, r4
    mov.l   @r15+, r2
    rts
    mov.l   @r15+, r1
    finish  __sdivsi3_i4i, __sdivsi3
