/* Start-up: vectors, status register, stack, initialised and cleared data, main, exit device.
 *
 * Interrupts are masked. On SH-3 reset leaves SR with BL set and the second bank of R0 to R7 in use; here a program begins with
 * the first bank, in privileged mode, with exceptions. Sources: "SH7709S Group Hardware Manual", sections 2.1.4 and 4.2;
 * "SH7604 Hardware Manual", section 4, table 4.3; GCC, `config/sh/sh.h`, for the conventions. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20
#if defined(__sh1__) || defined(__sh2__)
    .equ STATUS, 0x000000f0
    .equ FIRST_EXCEPTION, 4
    .equ FIRST_INTERRUPT, 64
    .equ VECTORS, 96
#else
    .equ STATUS, 0x400000f0
    .equ EXCEPTION, 0x100
    .equ INTERRUPT, 0x600
#endif

/* VBR points to the start of the image. */
    .section .vectors, "ax", @progbits
    .globl  _vectors
    .type   _vectors, @function

/* Handlers that a program may define; by default an exception loops forever. */
    .irp    name, _exception_handler, _interrupt_handler
    .weak   \name
    .set    \name, cocrypt_unhandled
    .endr
_vectors:
#if defined(__sh1__) || defined(__sh2__)
/* Where reset begins and its stack, for power-on and manual reset; then all exceptions, and 32 lines of interrupts. */
    .rept   2
    .long   _start, _stack_top
    .endr
    .rept   FIRST_INTERRUPT - FIRST_EXCEPTION
    .long   _exception_handler
    .endr
    .rept   VECTORS - FIRST_INTERRUPT
    .long   _interrupt_handler
    .endr
#else
/* A handler may change the second bank's R0, which is in use behind an exception. */
    .macro  enter function
    mov.l   1f, r0
    jmp     @r0
    nop
    .balign 4
1:  .long   \function
    .endm
    enter   _start
    .org    EXCEPTION
    enter   _exception_handler
    .org    INTERRUPT
    enter   _interrupt_handler
#endif
    .size   _vectors, . - _vectors

    .section .text.start, "ax", @progbits
    .balign 4
    .globl  _start
    .type   _start, @function
_start:
    mov.l   status, r0
    ldc     r0, sr
    mov.l   vectors, r0
    ldc     r0, vbr
    mov.l   stack, r15
    mov.l   data_load, r0
    mov.l   data_start, r1
    mov.l   data_end, r2
    /* If all sections are in one memory, data is loaded in place. */
    cmp/eq  r0, r1
    bt      3f
    bra     2f
    nop
1:  mov.l   @r0+, r3
    mov.l   r3, @r1
    add     #4, r1
2:  cmp/hs  r2, r1
    bf      1b
3:  mov.l   bss_start, r1
    mov.l   bss_end, r2
    mov     #0, r3
    bra     5f
    nop
4:  mov.l   r3, @r1
    add     #4, r1
5:  cmp/hs  r2, r1
    bf      4b
    mov.l   entry, r0
    mov     #0, r4
    mov     #0, r5
    jsr     @r0
    mov     #0, r6
    mov.l   exit_device, r1
    mov.l   r0, @r1
    /* The write above ends the run; without an exit device there is nothing left to do. */
6:  bra     6b
    nop
    .balign 4
status:      .long STATUS
vectors:     .long _vectors
stack:       .long _stack_top
data_load:   .long _data_load
data_start:  .long _data_start
data_end:    .long _data_end
bss_start:   .long _bss_start
bss_end:     .long _bss_end
entry:       .long main
exit_device: .long EXIT_DEVICE
    .size   _start, . - _start

    .type   cocrypt_unhandled, @function
cocrypt_unhandled:
    bra     cocrypt_unhandled
    nop
    .size   cocrypt_unhandled, . - cocrypt_unhandled
