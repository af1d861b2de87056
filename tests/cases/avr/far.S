/* A function behind 128 KiB of flash memory, farther than a pointer of 16 bits counts words. */

    .section .text.behind, "ax", @progbits
    .space  0x20000
    .globl  increment
    .type   increment, @function
increment:
    adiw    r24, 1
    ret
    .size   increment, . - increment
