/* Changes a port by each instruction that reads it first, and reads its pins by three others. */

#include <8051.h>

void main(void)
{
    __asm
        mov P2, #0x81
        mov SBUF, P2
        orl P2, #0x10
        anl P2, #0x7f
        xrl P2, #0xff
        setb P2.4
        cpl P2.3
        inc P2
        dec P2
        clr P2.1
        setb c
        mov P2.0, c
        djnz P2, 00001$
00001$:
        jbc P2.7, 00002$
        mov P2, #0
00002$:
        mov a, P2
        mov SBUF, a
        mov c, P2.2
        clr a
        rlc a
        add a, #0x30
        mov SBUF, a
    __endasm;
    P3 = 0x55;
}
