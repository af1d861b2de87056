@ Modes and exceptions of the A profile: what handlers find, and what they leave, goes to a log.
 .syntax unified
 .arch armv5te
 .arm

@ Any constant; the cursor is the first of the data, at an address that is one.
 .macro constant register, value:vararg
 ldr \register, 9f
 b 8f
9: .word \value
8:
 .endm

@ Logs a register; no other changes, and no flags.
 .macro log register
 stmfd sp!, {r4, r5}
 mov r4, #0x10000
 ldr r5, [r4]
 str \register, [r5], #4
 str r5, [r4]
 ldmfd sp!, {r4, r5}
 .endm

 .section .text
 .global _start
_start:
vectors:
 b reset
 b undefined
 b supervisor
 b prefetch
 b other
 b other
 b other
 b other

other:
 constant r0, 0xbad
 log r0
 b leave

 .macro handler
 log r0
 log sp
 log lr
 mrs r0, cpsr
 bic r0, r0, #0x100
 log r0
 mrs r0, spsr
 bic r0, r0, #0x100
 log r0
 .endm

undefined:
 stmfd sp!, {r0, lr}
 handler
 ldmfd sp!, {r0, pc}^

supervisor:
 cmp r0, #0x66
 beq finish
 cmp r0, #5
 bhi 1f
 handler
 movs pc, lr
1: stmfd sp!, {r0, lr}
 handler
 ldmfd sp!, {r0, lr}
 add lr, lr, #4
 subs pc, lr, #4

prefetch:
 handler
 mov r0, #9
 subs pc, lr, #0

@ Everything that a program sees of its registers.
 .macro registers
 .irp number, 0, 1, 2, 3, 8, 9, 10, 11, 12
 log r\number
 .endr
 log sp
 log lr
 mrs r0, cpsr
 bic r0, r0, #0x100
 log r0
 .endm

 .macro enter mode
 msr cpsr_c, #\mode
 .endm

reset:
 mov r0, #0
 msr cpsr_f, r0
 constant r0, log_start
 constant r1, cursor
 str r0, [r1]
@ Values for each mode.
 mov r0, #1
 .irp mode, 0xd1, 0xd2, 0xd3, 0xd7, 0xdb, 0xdf
 enter \mode
 constant sp, stacks
 add sp, sp, r0, lsl #8
 orr lr, r0, #0x5000
 .if \mode - 0xdf
 mov r2, #0x10
 orr r2, r2, r0, lsl #28
 msr spsr_fc, r2
 .endif
 add r8, r0, #0x800
 add r9, r0, #0x900
 add r10, r0, #0xa00
 add r11, r0, #0xb00
 add r12, r0, #0xc00
 add r0, r0, #1
 .endr
 .irp mode, 0xd1, 0xd2, 0xd3, 0xd7, 0xdb, 0xdf, 0xd1
 enter \mode
 registers
 .if \mode - 0xdf
 mrs r0, spsr
 bic r0, r0, #0x100
 log r0
 .endif
 .endr
@ By a register, and fields of the saved status.
 .irp mode, 0xd3, 0xd1, 0xdf, 0xd1, 0xd2, 0xdf
 constant r0, 0xf8000000 | \mode
 msr cpsr_cf, r0
 registers
 .endr
 enter 0xd2
 constant r0, 0xa80000f3
 msr spsr_f, r0
 mrs r1, spsr
 bic r1, r1, #0x100
 log r1
 msr spsr_sx, r0
 mrs r1, spsr
 bic r1, r1, #0x100
 log r1
 msr spsr_c, r0
 mrs r1, spsr
 bic r1, r1, #0x100
 log r1
@ The user's registers from other modes.
 .irp mode, 0xd1, 0xd3, 0xdf
 enter \mode
 constant r0, block
 .if \mode - 0xdf
 stmia r0, {r7-r14}^
 nop
 .endif
 .irp offset, 0, 4, 8, 12, 16, 20, 24, 28
 ldr r1, [r0, #\offset]
 log r1
 .endr
 constant r0, other_block
 .if \mode - 0xdf
 ldmia r0, {r8-r14}^
 nop
 .endif
 registers
 enter 0xdf
 constant r0, stacks + 0x600
 mov sp, r0
 registers
 .endr
@ Calls from user mode and others, from Thumb, and with conditions.
 .irp mode, 0xd3, 0xdf, 0x10
 enter \mode
 mov r0, #3
 svc #1
 log r0
 mov r0, #7
 svc #2
 log r0
 cmp r0, r0
 svcne #3
 log r0
 svceq #4
 log r0
 registers
 .inst 0xe7f000f0
 registers
 cmp r0, r0
 .inst 0x17f000f0
 log r0
 .inst 0x07f000f0
 log r0
 bkpt #3
 log r0
 constant r1, 1f + 1
 mov r0, #2
 bx r1
 .ltorg
 .thumb
1: svc #5
 movs r0, #1
 lsls r0, r0, #31
 svc #6
 .inst.n 0xde01
 bkpt #1
 adcs r0, r0
 adcs r0, r0
 .balign 4
 bx pc
 nop
 .arm
 registers
 .endr
leave:
 enter 0x10
 mrc p15, 0, r0, c1, c0, 0
 log r0
 enter 0xd3
 mov r0, #6
 svc #9
 log r0
 mov r0, #0x66
 svc #10
finish:
 handler
 constant r1, arguments
 mov r0, #1
 svc #0x123456
 constant r1, arguments
 constant r2, cursor
 ldr r2, [r2]
 str r0, [r1, #12]
 constant r3, log_start
 sub r2, r2, r3
 str r3, [r1, #16]
 str r2, [r1, #20]
 add r1, r1, #12
 mov r0, #5
 svc #0x123456
 constant r1, 0x20026
 mov r0, #0x18
 svc #0x123456
 b .
 .ltorg

 .data
cursor: .word 0
name: .asciz ":tt"
 .balign 8
arguments: .word name, 4, 3, 0, 0, 0
block: .space 64
other_block: .word 0x81, 0x82, 0x83, 0x84, 0x85, stacks + 0x680, 0x87
log_start: .space 16384
stacks: .space 4096
