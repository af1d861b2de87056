/* Computes checksums by the design, and prints them in hexadecimal. */

#include <8051.h>

static __xdata __at(0x8001) volatile unsigned char given;
static __xdata __at(0x8003) volatile unsigned char checksum;

void main(void)
{
    static const __code char text[] = "123456789";
    unsigned char at;
    P1 = 0;
    for (at = 0; at < 9; at++) {
        given = text[at];
        P1 = at + 1;
    }
    SBUF = "0123456789abcdef"[checksum >> 4];
    SBUF = "0123456789abcdef"[checksum & 15];
    P3 = 0x55;
}
