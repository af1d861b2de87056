/* Start-up under Linux on SuperH: calls main, writes the checksum to the standard output, and exits. */

    .section .text.start, "ax", @progbits
    .balign 4
    .globl  _start
_start:
    mov.l   1f, r0
    jsr     @r0
    nop
    mov     #1, r4
    mov.l   2f, r5
    mov     #4, r6
    mov     #4, r3
    trapa   #0x13
    mov     #0, r4
    mov     #1, r3
    trapa   #0x11
    .balign 4
1:  .long   main
2:  .long   checksum
