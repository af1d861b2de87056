/* Switch helpers that GCC calls in Thumb-1 code (ARMv6-M and earlier) when it optimises for size. The table
 * of offsets follows the call: r0 is the index, and the link register the table's address. An 8- or 16-bit
 * entry is an offset in halfwords from that address, a 32-bit entry one in bytes from the first entry. */

#if defined(__thumb__) && !defined(__thumb2__)
    .syntax unified
    .thumb

/* `scale` is the shift of the index, `load` the instruction that loads an entry. */
    .macro through name, load, scale
    .section .text.\name, "ax", %progbits
    .globl  \name
    .type   \name, %function
\name:
    push    {r0, r1}
    mov     r1, lr
    subs    r1, r1, #1
    .if     \scale
    lsls    r0, r0, #\scale
    .endif
    \load   r0, [r1, r0]
    lsls    r0, r0, #1
    add     lr, r0
    pop     {r0, r1}
    bx      lr
    .size   \name, . - \name
    .endm

    through __gnu_thumb1_case_uqi, ldrb, 0
    through __gnu_thumb1_case_sqi, ldrsb, 0
    through __gnu_thumb1_case_uhi, ldrh, 1
    through __gnu_thumb1_case_shi, ldrsh, 1

    .section .text.__gnu_thumb1_case_si, "ax", %progbits
    .globl  __gnu_thumb1_case_si
    .type   __gnu_thumb1_case_si, %function
__gnu_thumb1_case_si:
    push    {r0, r1}
    /* The table is aligned to words: it may begin two bytes after the call. */
    mov     r1, lr
    adds    r1, r1, #1
    lsrs    r1, r1, #2
    lsls    r1, r1, #2
    lsls    r0, r0, #2
    ldr     r0, [r1, r0]
    adds    r0, r0, r1
    adds    r0, r0, #1
    mov     lr, r0
    pop     {r0, r1}
    bx      lr
    .size   __gnu_thumb1_case_si, . - __gnu_thumb1_case_si
#endif
