/* The ways into user mode and back (ARM Architecture Reference Manual, DDI 0100I, A2.6). */

    .syntax unified
    .arm
    .equ USER, 0xd0

/* A handler keeps the registers in a frame, which the kernel may change: r0 to r12, the address to go back
 * to, the user's link register. */
    .macro save
    sub     sp, sp, #60
    stmia   sp, {r0-r12, lr}
    add     r0, sp, #56
    stmia   r0, {lr}^
    .endm

    .macro back
    ldmia   sp, {r0-r12, lr}
    add     sp, sp, #60
    movs    pc, lr
    .endm

    .text

/* uint32_t enter_user(void (*program)(void), uint32_t stack): what the program ends with. */
    .globl  enter_user
    .type   enter_user, %function
enter_user:
    push    {r4-r11, lr}
    ldr     r2, =kernel_stack
    str     sp, [r2]
    mov     r3, #USER
    msr     spsr_cxsf, r3
    push    {r1}
    mov     r3, sp
    ldmia   r3, {sp}^
    nop
    add     sp, sp, #4
    mov     lr, r0
    movs    pc, lr
    .size   enter_user, . - enter_user

/* void leave_user(uint32_t code): makes enter_user return that, from a call. */
    .globl  leave_user
    .type   leave_user, %function
leave_user:
    ldr     r2, =kernel_stack
    ldr     sp, [r2]
    pop     {r4-r11, pc}
    .size   leave_user, . - leave_user

    .globl  SVC_Handler
    .type   SVC_Handler, %function
SVC_Handler:
    save
    mov     r0, sp
    bl      on_call
    back
    .size   SVC_Handler, . - SVC_Handler

    .globl  DataAbort_Handler
    .type   DataAbort_Handler, %function
DataAbort_Handler:
    ldr     sp, =fault_stack + 1024
    sub     lr, lr, #8
    save
    mov     r0, sp
    mrc     p15, 0, r1, c5, c0, 0
    mrc     p15, 0, r2, c6, c0, 0
    mrs     r3, spsr
    bl      on_data
    back
    .size   DataAbort_Handler, . - DataAbort_Handler

    .globl  PrefetchAbort_Handler
    .type   PrefetchAbort_Handler, %function
PrefetchAbort_Handler:
    ldr     sp, =fault_stack + 1024
    sub     lr, lr, #4
    save
    mov     r0, sp
    mov     r1, #0
#if __ARM_ARCH >= 5
    mrc     p15, 0, r1, c5, c0, 1
#endif
    mrs     r2, spsr
    bl      on_fetch
    back
    .size   PrefetchAbort_Handler, . - PrefetchAbort_Handler

    .globl  Undefined_Handler
    .type   Undefined_Handler, %function
Undefined_Handler:
    ldr     sp, =fault_stack + 2048
    save
    mov     r0, sp
    mrs     r1, spsr
    bl      on_undefined
    back
    .size   Undefined_Handler, . - Undefined_Handler
    .pool

    .bss
    .balign 8
kernel_stack:
    .space  4
    .balign 8
fault_stack:
    .space  2048
