/* Numbers for people: to the device's console, or by semihosting if SEMIHOSTING says so. */

#include <cocrypt/device.h>

#include "cortex_m.h"

#if defined(SEMIHOSTING) && defined(__arm__)
/* SYS_WRITE0 of "Semihosting for AArch32 and AArch64". */
void write_text(const char *text)
{
    register uint32_t    call __asm__("r0") = 4;
    register const char *from __asm__("r1") = text;
    __asm__ volatile("bkpt 0xab" : "+r"(call) : "r"(from) : "memory");
}

/* SYS_EXIT, with what says that all is well. */
void leave(void)
{
    register uint32_t call __asm__("r0") = 0x18;
    register uint32_t why __asm__("r1")  = 0x20026;
    __asm__ volatile("bkpt 0xab" : "+r"(call) : "r"(why) : "memory");
}
#else
void write_text(const char *text)
{
    for (; *text != 0; text++) device_write(COCRYPT_CONSOLE, (uint8_t)*text);
}

void leave(void)
{
}
#endif

void print(uint64_t value)
{
    char  text[24];
    char *first = text + sizeof text;
    *--first    = 0;
    *--first    = '\n';
    do {
        *--first = (char)('0' + value % 10u);
        value /= 10u;
    } while (value != 0);
    write_text(first);
}

__attribute__((noinline)) uint32_t work(uint32_t steps)
{
    uint32_t value = steps;
    for (uint32_t i = 0; i < steps; i++) {
        value = value * 2654435761u ^ value >> 15;
        if (value & 4u) value += i;
    }
    return value;
}
