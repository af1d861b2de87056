/* Interrupts of both timers: counts them, and those of timer 1, which has the higher priority, within the handler of
   timer 0. Behind a number of turns it stores the counts in external data and ends. */

#include <8051.h>

#define EXIT ((__xdata volatile unsigned char *)0xf020)

static __xdata __at(0x0000) volatile unsigned char counts[3];
static volatile unsigned char first, second, nested, inside;

void overflow_0(void) __interrupt(TF0_VECTOR)
{
    unsigned char turn;
    inside = 1;
    first++;
    for (turn = 0; turn < 240; turn++) {
    }
    inside = 0;
}

void overflow_1(void) __interrupt(TF1_VECTOR)
{
    second++;
    if (inside)
        nested++;
}

void main(void)
{
    unsigned char turn, turns = 200;
    TMOD = 0x21;
    TH1 = 0x38;
    TL1 = 0x38;
    PT1 = 1;
    ET0 = 1;
    ET1 = 1;
    EA = 1;
    TR0 = 1;
    TR1 = 1;
    for (; turns; turns--)
        for (turn = 0; turn < 250; turn++) {
        }
    EA = 0;
    counts[0] = first;
    counts[1] = second;
    counts[2] = nested;
    EXIT[3] = EXIT[2] = EXIT[1] = EXIT[0] = 0;
}
