/* Shifts and products, which GCC calls for SH-1 and SH-2 by conventions of their own. Those cores shift by 1, 2, 8 and 16 alone,
 * to the right with a sign by 1 alone, and an SH-1 multiplies halfwords.
 *
 * Sources: names and registers, GCC, `config/sh/sh.md`; instructions, "SH-1/SH-2/SH-DSP Programming Manual", section 6. */

#if defined(__sh1__) || defined(__sh2__)

    .macro  begin name
    .section .text.\name, "ax", @progbits
    .balign 4
    .globl  \name
    .type   \name, @function
\name:
    .endm

    .macro  finish name
    .size   \name, . - \name
    .endm

/* Goes on at the label of a prefix with the number in R0, a count below 32. The table has half the distances from itself. */
    .macro  dispatch prefix
    mov.l   r1, @-r15
    mov     r0, r1
    mova    9f, r0
    mov.b   @(r0, r1), r1
    add     r1, r0
    add     r1, r0
    mov     r0, r1
    mov     r4, r0
    jmp     @r1
    mov.l   @r15+, r1
    .balign 4
9:
    .irp    count, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .byte   (\prefix\count - 9b) / 2
    .endr
    .irp    count, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .byte   (\prefix\count - 9b) / 2
    .endr
    .endm

/* Shifts by 2, each behind the label of its count. */
    .macro  by_two name, two, counts:vararg
    .irp    count, \counts
.L\name\count:
    \two    r0
    .endr
    .endm

/* R0 = R4 shifted by R0 modulo 32, and nothing else is changed but T. Odd and even counts each run through shifts by 2 towards
 * those that end them. */
    .macro  shift name, one, two, eight, sixteen
    begin   \name
    and     #31, r0
    dispatch .L\name

.L\name\()0:
    rts
    nop
    by_two  \name, \two, 6, 4
.L\name\()2:
    rts
    \two    r0
    by_two  \name, \two, 7, 5, 3
.L\name\()1:
    rts
    \one    r0

    by_two  \name, \two, 14, 12, 10
.L\name\()8:
    rts
    \eight  r0
    by_two  \name, \two, 15, 13, 11
.L\name\()9:
    \one    r0
    rts
    \eight  r0

    by_two  \name, \two, 22, 20, 18
.L\name\()16:
    rts
    \sixteen r0
    by_two  \name, \two, 23, 21, 19
.L\name\()17:
    \one    r0
    rts
    \sixteen r0

    by_two  \name, \two, 30, 28, 26
.L\name\()24:
    \eight  r0
    rts
    \sixteen r0
    by_two  \name, \two, 31, 29, 27
.L\name\()25:
    \one    r0
    \eight  r0
    rts
    \sixteen r0
    finish  \name
    .endm

    shift   __ashlsi3_r0, shll, shll2, shll8, shll16
    shift   __lshrsi3_r0, shlr, shlr2, shlr8, shlr16

/* Shifts of a register to the right with its sign, each label behind the one of the next count. */
    .macro  ladder prefix, register
\prefix\()31:
    shll    \register
    rts
    subc    \register, \register
    .irp    count, 30, 29, 28, 27, 26, 25
\prefix\count:
    shar    \register
    .endr
\prefix\()24:
    shlr16  \register
    shlr8   \register
    rts
    exts.b  \register, \register
    .irp    count, 23, 22, 21, 20, 19, 18, 17
\prefix\count:
    shar    \register
    .endr
\prefix\()16:
    shlr16  \register
    rts
    exts.w  \register, \register
    .irp    count, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
\prefix\count:
    shar    \register
    .endr
\prefix\()1:
    rts
    shar    \register
    .endm

/* R4 is shifted in its place by the number in the name, and nothing else is changed but T. */
    begin   __ashiftrt_r4
    .irp    count, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .globl  __ashiftrt_r4_\count
    .type   __ashiftrt_r4_\count, @function
    .endr
    .irp    count, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .globl  __ashiftrt_r4_\count
    .type   __ashiftrt_r4_\count, @function
    .endr
    ladder  __ashiftrt_r4_, r4
    finish  __ashiftrt_r4

/* As a function of C: R0 = R4 shifted by R5. */
    begin   __ashrsi3
    mov     r5, r0
    and     #31, r0
    dispatch .Lright
.Lright0:
    rts
    nop
    ladder  .Lright, r0
    finish  __ashrsi3

#ifdef __sh1__
/* R0 = R4 * R5 by halfwords; R1 to R3, MACL and T may be changed. */
    begin   __mulsi3
    mulu.w  r4, r5
    swap.w  r4, r1
    sts     macl, r0
    mulu.w  r1, r5
    swap.w  r5, r2
    sts     macl, r3
    mulu.w  r4, r2
    sts     macl, r1
    add     r1, r3
    shll16  r3
    rts
    add     r3, r0
    finish  __mulsi3
#endif

#endif
