/* Asks the design for greatest common divisors, and prints them in hexadecimal. */

#include <8051.h>

static const __code unsigned char operands[] = {12, 18, 200, 75, 7, 7, 255, 34, 96, 1};

static void print(unsigned char value)
{
    SBUF = "0123456789abcdef"[value >> 4];
    SBUF = "0123456789abcdef"[value & 15];
    SBUF = '\n';
}

static unsigned char divisor(unsigned char a, unsigned char b)
{
    unsigned char result;
    P1 = a;
    P2 = b;
    P0 = 1;
    while (!(P0 & 1)) {
    }
    result = P1;
    P0 = 0;
    while (P0 & 1) {
    }
    return result;
}

void main(void)
{
    unsigned char at;
    for (at = 0; at < sizeof operands; at += 2)
        print(divisor(operands[at], operands[at + 1]));
    P3 = 0x55;
}
