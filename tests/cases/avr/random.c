/* Around a program by csmith for AVR: keeps the checksum that it prints, and sleeps at its end without interrupts,
 * where simavr ends. csmith's own `main` and what it prints by are renamed on the command line. */

#include <stdarg.h>
#include <stdint.h>

int program(void);
int said(const char *format, ...);

volatile uint32_t checksum;

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
    for (;;)
        __asm__ volatile("cli\n\tsleep");
}
