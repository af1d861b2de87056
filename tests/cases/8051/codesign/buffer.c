/* Lets the design add up what is in a shared buffer, and prints the sums in hexadecimal. */

#include <8051.h>

static __xdata __at(0x4000) volatile unsigned char start;
static __xdata __at(0x4001) volatile unsigned char ready;
static __xdata __at(0x4002) volatile unsigned char shared[0x40];

void main(void)
{
    unsigned char at;
    for (at = 0; at < 32; at++)
        shared[at] = at * 7 + 3;
    start = 1;
    while (!ready) {
    }
    for (at = 32; at < 64; at++) {
        SBUF = "0123456789abcdef"[shared[at] >> 4];
        SBUF = "0123456789abcdef"[shared[at] & 15];
        SBUF = '\n';
    }
    P3 = 0x55;
}
