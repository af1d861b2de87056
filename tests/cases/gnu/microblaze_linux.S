/* Start-up under Linux on MicroBlaze: calls main, writes the checksum to the standard output, and exits. */

    .section .text.start, "ax", @progbits
    .globl  _start
_start:
    addik   r1, r1, -28
    brlid   r15, main
    or      r0, r0, r0
    addik   r5, r0, 1
    addik   r6, r0, checksum
    addik   r7, r0, 4
    addik   r12, r0, 4
    brki    r14, 8
    addik   r5, r0, 0
    addik   r12, r0, 1
    brki    r14, 8
