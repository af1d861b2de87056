/* Start-up: vectors, stack, cleared data, main, exit device.
 *
 * The image is loaded directly into RAM, so initialised data needs no copy. Sources: the vectors, UG984, chapter 2, "Reset,
 * Interrupts, Exceptions, and Break"; registers, chapter 4, "MicroBlaze Application Binary Interface". */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20

/* The caller's words that a function may save its link register and its register arguments in. */
    .equ HOME, 28

/* A handler that a program may define; by default an exception loops forever. */
    .macro  handler name
    .weak   \name
    .set    \name, cocrypt_unhandled
    brai    \name
    .endm

    .section .vectors, "ax", @progbits
    .globl  _vectors
    .type   _vectors, @function
_vectors:
    brai    _start
    handler _exception_handler
    handler _interrupt_handler
    handler _break_handler
    handler _hw_exception_handler
    .size   _vectors, . - _vectors

    .section .text.start, "ax", @progbits
    .globl  _start
    .type   _start, @function
_start:
    addik   r1, r0, _stack_top - HOME
    addik   r5, r0, _bss_start
    addik   r6, r0, _bss_end
    bri     2f
1:  swi     r0, r5, 0
    addik   r5, r5, 4
2:  rsubk   r7, r5, r6
    bnei    r7, 1b
    addk    r5, r0, r0
    addk    r6, r0, r0
    brlid   r15, main
    addk    r7, r0, r0
    addik   r11, r0, EXIT_DEVICE
    swi     r3, r11, 0
    /* The write above ends the run; without an exit device there is nothing left to do. */
3:  bri     3b
    .size   _start, . - _start

    .type   cocrypt_unhandled, @function
cocrypt_unhandled:
    bri     cocrypt_unhandled
    .size   cocrypt_unhandled, . - cocrypt_unhandled
