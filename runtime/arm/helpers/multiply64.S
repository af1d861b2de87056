/* 64-bit products for ARMv6-M and similar cores, whose product of two words is one word. It is not in C, because
 * compilers would replace it by a call to itself ("Run-time ABI for the Arm Architecture", IHI 0043, 4.3.1). */

#if defined(__thumb__) && !defined(__thumb2__)
    .syntax unified
    .thumb

    .section .text.__aeabi_lmul, "ax", %progbits
    .globl  __aeabi_lmul
    .type   __aeabi_lmul, %function
    .balign 4
__aeabi_lmul:
    push    {r4, r5, lr}
    /* The products with a high word contribute only to the high word of the result. */
    muls    r1, r2
    muls    r3, r0
    adds    r1, r1, r3
    /* The halves of the low words: r3 and r0, r4 and r2. */
    lsrs    r3, r0, #16
    lsrs    r4, r2, #16
    lsls    r0, r0, #16
    lsrs    r0, r0, #16
    lsls    r2, r2, #16
    lsrs    r2, r2, #16
    movs    r5, r3
    muls    r5, r4
    adds    r1, r1, r5
    muls    r3, r2
    muls    r4, r0
    muls    r0, r2
    /* Adds the two cross products, shifted by 16 bits. */
    lsls    r2, r3, #16
    lsrs    r3, r3, #16
    adds    r0, r0, r2
    adcs    r1, r3
    lsls    r2, r4, #16
    lsrs    r4, r4, #16
    adds    r0, r0, r2
    adcs    r1, r4
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    pop     {r4, r5, pc}
#else
    pop     {r4, r5}
    pop     {r2}
    bx      r2
#endif
    .size   __aeabi_lmul, . - __aeabi_lmul

#elif !defined(__thumb__)
    /* A32 has a long multiplication, but Thumb code in the same program calls this. */
    .syntax unified
    .arm

    .section .text.__aeabi_lmul, "ax", %progbits
    .globl  __aeabi_lmul
    .type   __aeabi_lmul, %function
    .balign 4
__aeabi_lmul:
    mul     r1, r2, r1
    mla     r1, r3, r0, r1
    umull   r0, r3, r2, r0
    add     r1, r1, r3
#if defined(__ARM_ARCH_4__)
    mov     pc, lr
#else
    bx      lr
#endif
    .size   __aeabi_lmul, . - __aeabi_lmul
#endif
