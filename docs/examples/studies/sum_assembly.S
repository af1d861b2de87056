/* The same in assembly. */

    .section .text.sum, "ax", @progbits
    .globl sum
    .type  sum, @function
sum:
    add     a0, a0, a1
    ret
    .size   sum, . - sum
