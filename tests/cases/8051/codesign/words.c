/* Says a word to the design, character by character, and ends. */

#include <8051.h>

enum { IDLE, SHOW };

static void say(const char *text)
{
    for (; *text; text++) {
        P1 = *text;
        P0 = SHOW;
        P0 = IDLE;
    }
}

void main(void)
{
    say("Hello, 8051");
    P3 = 0x55;
}
