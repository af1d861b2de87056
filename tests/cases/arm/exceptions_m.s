@ Exceptions of the M profile: what handlers find, and what they leave, goes to a log.
 .syntax unified
 .cpu cortex-m4
 .thumb

 .macro log register
 push {r4, r5}
 ldr r4, =cursor
 ldr r5, [r4]
 str \register, [r5], #4
 str r5, [r4]
 pop {r4, r5}
 .endm

@ Logs what the status says, of which flags and numbers are compared.
 .macro log_status
 mrs r3, xpsr
 log r3
 .endm

 .section .text
 .word stack_top
 .word reset + 1
 .word other + 1
 .word hard_fault + 1
 .rept 7
 .word other + 1
 .endr
 .word supervisor + 1
 .rept 4
 .word other + 1
 .endr

 .thumb_func
other:
 ldr r0, =0xbad
 log r0
 b leave

@ Logs the frame that it finds, its own state, and goes back in one of three ways.
 .thumb_func
supervisor:
 mov r2, sp
 tst lr, #4
 ite eq
 mrseq r1, msp
 mrsne r1, psp
 push {r2, lr}
 log r1
 log lr
 log r2
 log_status
 mrs r3, control
 log r3
 mrs r3, psp
 log r3
 mrs r3, msp
 log r3
 .irp offset, 0, 4, 8, 12, 16, 20, 24, 28
 ldr r3, [r1, #\offset]
 log r3
 .endr
 ldr r3, [r1]
 adds r3, #1
 str r3, [r1]
 ldr r3, [r1, #24]
 ldrb r3, [r3, #-2]
 log r3
 cmp r3, #7
 bne 1f
 mov r0, #0
 msr control, r0
1: cmp r3, #9
 bne 2f
 udf #1
 log r0
2: cmp r3, #3
 bhs 3f
 pop {r2, lr}
 mov r0, #0x55
 bx lr
3: cmp r3, #5
 bhs 4f
 pop {r2, pc}
4: ldr lr, [sp, #4]
 add sp, #4
 ldr pc, [sp], #4

@ Skips what is no instruction; the frame is on the stack that the number says.
 .thumb_func
hard_fault:
 tst lr, #4
 ite eq
 mrseq r1, msp
 mrsne r1, psp
 push {r1, lr}
 log lr
 log_status
 .irp offset, 0, 4, 8, 12, 16, 20, 24, 28
 ldr r3, [r1, #\offset]
 log r3
 .endr
 ldr r3, [r1, #24]
 adds r3, #2
 str r3, [r1, #24]
 pop {r1, pc}

 .macro registers
 log r0
 log r1
 log r2
 log r3
 log r12
 log lr
 log_status
 .endm

 .thumb_func
reset:
 movs r0, #0
 msr apsr_nzcvqg, r0
 ldr r0, =log_start
 ldr r1, =cursor
 str r0, [r1]
 ldr r0, =0x11111111
 ldr r1, =0x22222222
 ldr r2, =0x33333333
 ldr r3, =0x44444444
 ldr r12, =0x55555555
 ldr lr, =0x66666666
 svc #1
 registers
@ All flags survive.
 ldr r4, =0xf80f0000
 msr apsr_nzcvqg, r4
 svc #2
 registers
 mov r4, #0
 msr apsr_nzcvqg, r4
 svc #3
 registers
@ A stack that is no multiple of 8.
 sub sp, #4
 svc #4
 registers
 add sp, #4
@ Within an IT block.
 cmp r4, #0
 ittee eq
 moveq r0, #1
 svceq #5
 movne r0, #2
 addne r0, #4
 registers
 cmp r4, #1
 itete eq
 moveq r0, #1
 svcne #6
 addeq r0, #2
 addne r0, #4
 registers
 cmp r4, #1
 itt eq
 svceq #6
 addeq r0, #1
 registers
@ On the process stack, and without rights.
 ldr r0, =process_top
 msr psp, r0
 mrs r0, psp
 log r0
 movs r0, #2
 msr control, r0
 isb
 mrs r0, control
 push {r0, r1}
 registers
 pop {r0, r1}
 svc #1
 registers
 sub sp, #4
 svc #3
 registers
 add sp, #4
 mov r0, sp
 log r0
 mrs r0, msp
 log r0
 ldr r0, =process_top - 64
 msr psp, r0
 mov r0, sp
 log r0
 movs r0, #3
 msr control, r0
 movs r0, #1
 msr primask, r0
 msr basepri, r0
 mrs r0, primask
 log r0
 mrs r0, basepri
 log r0
 cpsid i
 mrs r0, control
 log r0
 ldr r0, =0xf8000000
 msr apsr_nzcvq, r0
 mrs r0, apsr
 log r0
 udf #2
 registers
@ The handler of 7 gives the rights back.
 svc #7
 mrs r0, control
 log r0
 movs r0, #0
 msr control, r0
 mov r0, sp
 log r0
 udf #3
 registers
@ A fault within a handler.
 svc #9
 registers
@ Masks.
 cpsid i
 mrs r0, primask
 log r0
 cpsie i
 mrs r0, primask
 log r0
 cpsid f
 mrs r0, faultmask
 log r0
 cpsie f
 movs r0, #0x40
 msr basepri, r0
 movs r0, #0x60
 msr basepri_max, r0
 mrs r0, basepri
 log r0
 movs r0, #0x20
 msr basepri_max, r0
 movs r0, #0
 msr basepri_max, r0
 mrs r0, basepri_max
 log r0
 movs r0, #0
 msr basepri, r0
@ Accesses that are not aligned.
 ldr r0, =cursor + 4
 ldr r1, [r0, #1]
 log r1
 ldr r1, =0x12345678
 str r1, [r0, #3]
 ldr r1, [r0, #2]
 log r1
 ldrsh r1, [r0, #3]
 log r1
 ldrh r1, [r0, #5]
 log r1
 movw r1, #0x9abc
 strh r1, [r0, #1]
 ldr r1, [r0]
 log r1
 ldr r1, [r0, #4]
 log r1
 b leave

 .thumb_func
leave:
 ldr r1, =arguments
 movs r0, #1
 bkpt #0xab
 ldr r1, =arguments
 ldr r2, =cursor
 ldr r2, [r2]
 str r0, [r1, #12]
 ldr r3, =log_start
 subs r2, r3
 str r3, [r1, #16]
 str r2, [r1, #20]
 adds r1, #12
 movs r0, #5
 bkpt #0xab
 ldr r1, =0x20026
 movs r0, #0x18
 bkpt #0xab
 b .
 .ltorg

 .data
name: .asciz ":tt"
 .balign 8
arguments: .word name, 4, 3, 0, 0, 0
cursor: .word 0
 .word 0xa1b2c3d4, 0xe5f60718, 0x293a4b5c, 0
log_start: .space 4096
 .space 1024
stack_top: .space 1024
process_top: .space 64
