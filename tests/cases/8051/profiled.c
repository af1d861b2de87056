/* Calls functions of this file and of SDCC's library, and ends. */

#define EXIT ((__xdata volatile unsigned char *)0xf020)

static volatile unsigned int total;

static void inner(unsigned char turns)
{
    while (turns--)
        total += turns * turns;
}

void outer(void)
{
    unsigned char turns;
    for (turns = 0; turns < 20; turns++)
        inner(turns);
    total /= 7;
}

void main(void)
{
    outer();
    outer();
    EXIT[3] = EXIT[2] = EXIT[1] = EXIT[0] = 0;
}
