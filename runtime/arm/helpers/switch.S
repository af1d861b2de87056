/* Jumps through a table of distances right behind the call, as GCC has them in Thumb of ARMv6-M and
 * before when it optimises for size: r0 says which entry, the link register where the table begins. An
 * entry counts half words from there, but of those of 32 bits each counts bytes from the first. */

#if defined(__thumb__) && !defined(__thumb2__)
    .syntax unified
    .thumb

/* `scale` is how far the index is shifted, `load` the instruction that takes an entry. */
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
    /* Words are aligned: the table may begin two bytes further on. */
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
