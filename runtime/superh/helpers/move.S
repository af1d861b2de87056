/* Copies of words, which GCC calls by conventions of their own: the target in R4, the source in R5, a length in R6. Functions
 * change R0, R4, R5, R6 and T alone.
 *
 * Source of names and lengths: GCC, `config/sh/sh-mem.cc`. */

    .macro  begin name
    .globl  \name
    .type   \name, @function
\name:
    .endm

/* Goes back until R6, of which it takes 1, is 0; R4 goes forward by a step. */
    .macro  again label, step
#ifdef __sh1__
    add     #\step, r4
    add     #-1, r6
    tst     r6, r6
    bf      \label
#else
    dt      r6
    bf.s    \label
    add     #\step, r4
#endif
    .endm

    .macro  copied offset
    mov.l   @(\offset, r5), r0
    mov.l   r0, @(\offset, r4)
    .endm

/* For SH-4, 8 bytes more often than R6 says, behind 4 bytes if the number of words is odd. */
    .section .text.__movmem_i4, "ax", @progbits
    .balign 4
    begin   __movmem_i4_odd
    mov.l   @r5+, r0
    mov.l   r0, @r4
    add     #4, r4
    begin   __movmem_i4_even
    add     #1, r6
1:  copied  0
    copied  4
    add     #8, r5
    again   1b, 8
    rts
    nop
    .size   __movmem_i4_even, . - __movmem_i4_even
    .size   __movmem_i4_odd, . - __movmem_i4_odd

    .section .text.__movmemSI12_i4, "ax", @progbits
    .balign 4
    begin   __movmemSI12_i4
    copied  0
    copied  4
    mov.l   @(8, r5), r0
    rts
    mov.l   r0, @(8, r4)
    .size   __movmemSI12_i4, . - __movmemSI12_i4

/* For SH-3, as many bytes as the name says. */
    .macro  ladder bytes
    begin   __movmemSI\bytes
    .if     \bytes > 4
    copied  \bytes - 4
    .else
    mov.l   @r5, r0
    rts
    mov.l   r0, @r4
    .endif
    .endm

    .section .text.__movmemSI, "ax", @progbits
    .balign 4
    .irp    bytes, 64, 60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4
    ladder  \bytes
    .endr
    .irp    bytes, 64, 60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4
    .size   __movmemSI\bytes, . - __movmemSI\bytes
    .endr

/* For SH-3, 64 bytes and more: 16 words for each 16 of R6, of which as many are lacking as are copied behind them. */
    .section .text.__movmem, "ax", @progbits
    .balign 4
    begin   __movmem
    neg     r6, r0
    and     #15, r0
    add     r0, r6
    add     r0, r6
1:  mov.l   @r5+, r0
    mov.l   r0, @r4
    again   1b, 4
    rts
    nop
    .size   __movmem, . - __movmem
