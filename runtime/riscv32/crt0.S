/* Start-up: reset vector, stack, global pointer, cleared data, main, exit device.
 *
 * The image is loaded directly into RAM, so initialised data needs no copy. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ EXIT_DEVICE, COCRYPT_PERIPHERALS + 0x20

    .section .text.start, "ax", @progbits
    .globl _start
    .type  _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, _stack_top
    la      t0, _bss_start
    la      t1, _bss_end
    j       2f
1:  sw      zero, 0(t0)
    addi    t0, t0, 4
2:  bltu    t0, t1, 1b
    li      a0, 0
    li      a1, 0
    call    main
    li      t0, EXIT_DEVICE
    sw      a0, 0(t0)
    /* The write above ends the run; without an exit device there is nothing left to do. */
3:  j       3b
    .size   _start, . - _start
