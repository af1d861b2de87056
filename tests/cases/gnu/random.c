/* Around a program by csmith: keeps the checksum that it would print. csmith's own `main` and what it prints by are renamed
 * on the command line. */

#include <stdarg.h>
#include <stdint.h>

int program(void);
int said(const char *format, ...);

uint32_t checksum;

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
    return 0;
}
