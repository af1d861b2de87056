/* 64-bit division with the quotient in r0 and r1 and the remainder in r2 and r3, which no C function can
 * return ("Run-time ABI for the Arm Architecture", IHI 0043, 4.3.1). */

    .syntax unified
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    .thumb
#else
    .arm
#endif

/* Returns, with interworking between A32 and Thumb on cores that have both. */
    .macro return
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    pop     {r4, pc}
#else
    pop     {r4, lr}
#if defined(__ARM_ARCH_4__)
    mov     pc, lr
#else
    bx      lr
#endif
#endif
    .endm

    .macro divide name, in_c
    .section .text.\name, "ax", %progbits
    .globl  \name
    .type   \name, %function
    .balign 4
\name:
    push    {r4, lr}
    sub     sp, sp, #16
    /* The fifth argument word, on the stack, is the address of the remainder. */
    add     r4, sp, #8
    str     r4, [sp]
    bl      \in_c
    ldr     r2, [sp, #8]
    ldr     r3, [sp, #12]
    add     sp, sp, #16
    return
    .size   \name, . - \name
    .endm

    divide  __aeabi_uldivmod, cocrypt_uldivmod
    divide  __aeabi_ldivmod, cocrypt_ldivmod
