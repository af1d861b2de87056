/* Reads the counter twice, with 12 + 12 + 48 + 24 clocks of other instructions in between. */

#include <8051.h>

void main(void)
{
    __asm
        mov a, P1
        mov r0, a
        nop
        mul ab
        mov dptr, #0
        mov a, P1
        clr c
        subb a, r0
        mov SBUF, a
    __endasm;
    P3 = 0x55;
}
