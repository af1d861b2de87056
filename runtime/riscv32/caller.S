/* Executes the calls of a table that the host writes into memory, each between two marks.
 *
 * The number of calls is at _stack_limit, and the table 16 bytes after it, with 64 bytes for each call: the function's
 * address, eight register arguments, six words of stack arguments, and a word for the return value. The first pair of
 * marks has nothing between them: a call takes the distance of its pair minus that of the first one. */

/* As in cocrypt/device.h. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x80000000
#endif
    .equ MARKS, COCRYPT_PERIPHERALS + 0x30
    .equ FRAME, 32

    .section .text.start, "ax", @progbits
    .globl main
    .type  main, @function
main:
    .option push
    .option norelax
    .option norvc
    addi    sp, sp, -FRAME
    la      s0, _stack_limit
    li      s1, MARKS
    lw      s2, 0(s0)
    addi    s0, s0, 16
    .balign 4
    sw      zero, 0(s1)
    sw      zero, 0(s1)
    beqz    s2, 2f
1:  lw      t0, 36(s0)
    sw      t0, 0(sp)
    lw      t0, 40(s0)
    sw      t0, 4(sp)
    lw      t0, 44(s0)
    sw      t0, 8(sp)
    lw      t0, 48(s0)
    sw      t0, 12(sp)
    lw      t0, 52(s0)
    sw      t0, 16(sp)
    lw      t0, 56(s0)
    sw      t0, 20(sp)
    lw      a0, 4(s0)
    lw      a1, 8(s0)
    lw      a2, 12(s0)
    lw      a3, 16(s0)
    lw      a4, 20(s0)
    lw      a5, 24(s0)
    lw      a6, 28(s0)
    lw      a7, 32(s0)
    lw      t1, 0(s0)
    sw      zero, 0(s1)
    jalr    t1
    sw      zero, 0(s1)
    sw      a0, 60(s0)
    addi    s0, s0, 64
    addi    s2, s2, -1
    bnez    s2, 1b
2:  li      a0, 0
    li      t0, COCRYPT_PERIPHERALS + 0x20
    sw      a0, 0(t0)
3:  j       3b
    .option pop
    .size   main, . - main
