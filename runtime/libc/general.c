/* Program termination and general utilities (ISO/IEC 9899:2011, section 7.22). */

#include "cocrypt/device.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* The exit status that a shell reports for abort: 128 + SIGABRT. */
#define ABORTED 134

_Noreturn void exit(int status)
{
    device_write(COCRYPT_EXIT, (uint32_t)status);
    for (;;) {
    }
}

_Noreturn void abort(void)
{
    exit(ABORTED);
}

_Noreturn void cocrypt_failed(const char *condition, const char *file, int line)
{
    printf("%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

int atoi(const char *text)
{
    unsigned value = 0;
    while (isspace(*text)) {
        text++;
    }
    int negative = *text == '-';
    if (*text == '-' || *text == '+') {
        text++;
    }
    for (; isdigit(*text); text++) {
        value = 10 * value + (unsigned)(*text - '0');
    }
    return (int)(negative ? 0 - value : value);
}

/* The generator from the standard's example, section 7.22.2.2: portable, but unsuitable for secrets. */
static unsigned long next = 1;

int rand(void)
{
    next = next * 1103515245 + 12345;
    return (int)(next / 65536 % 32768);
}

void srand(unsigned seed)
{
    next = seed;
}
