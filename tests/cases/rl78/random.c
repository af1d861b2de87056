/* Around a program by csmith for RL78: prints the checksum that it would print, and ends. The GNU simulator prints what is
 * written to SDR00, and ends at `halt`; the exit device of a machine here is memory to it. csmith's own `main` and what it
 * prints by are renamed on the command line. */

#include <stdarg.h>
#include <stdint.h>

#define SDR00 (*(volatile uint8_t *)0xff10)
#define EXITS (*(volatile uint32_t *)0x0820)

int program(void);
int said(const char *format, ...);

static uint32_t checksum;

int said(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    checksum = va_arg(arguments, uint32_t);
    va_end(arguments);
    return 0;
}

int main(void)
{
    program();
    for (int place = 28; place >= 0; place -= 4) {
        uint8_t digit = (uint8_t)(checksum >> place & 15u);
        SDR00         = (uint8_t)(digit < 10 ? '0' + digit : 'a' - 10 + digit);
    }
    EXITS = 0;
    for (;;) {
        __asm__ volatile("halt");
    }
}
