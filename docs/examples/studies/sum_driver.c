/* The same by the coprocessor, which needs no waiting. */

#include "cocrypt/device.h"

uint32_t sum(uint32_t a, uint32_t b);

uint32_t sum(uint32_t a, uint32_t b)
{
    device_write(COCRYPT_COPROCESSOR + 0x000, a);
    device_write(COCRYPT_COPROCESSOR + 0x004, b);
    return device_read(COCRYPT_COPROCESSOR + 0x008);
}
