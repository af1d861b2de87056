/* Products, quotients, shifts and tables of all widths, printed as digits: the same on a device and on a host. */

#include <stdint.h>

#ifdef HOSTED
#include <stdio.h>
static void put(char character) { putchar(character); }
#else
#include "cocrypt/device.h"
static void put(char character) { device_write(COCRYPT_CONSOLE, (uint8_t)character); }
#endif

static uint32_t state[4] = {1, 2, 3, 4};
static const uint16_t table[4] = {0x1234, 0xabcd, 0x00ff, 0x8001};

static void print(uint32_t value)
{
    for (int8_t shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[value >> shift & 15]);
    put('\n');
}

uint32_t __attribute__((noinline)) mix(uint32_t a, uint32_t b, uint8_t by)
{
    uint16_t low  = (uint16_t)a;
    int16_t  high = (int16_t)(b >> 16);
    uint64_t wide = ((uint64_t)a << 32 | b) >> (by & 31);
    a = a * b + (a ^ b >> 3) / 7u + a % (b | 1);
    return a + low * (uint32_t)table[by & 3] + (uint32_t)(high / 3) + (uint32_t)(wide * 5);
}

int main(void)
{
    for (uint8_t round = 0; round < 100; round++)
        state[round & 3] = mix(state[round & 3], state[(round + 1) & 3], round);
    for (uint8_t at = 0; at < 4; at++)
        print(state[at]);
    return 0;
}
