/* The same function by the coprocessor. */

#include "cocrypt/device.h"

uint32_t clmul(uint32_t a, uint32_t b);

uint32_t clmul(uint32_t a, uint32_t b)
{
    device_write(COCRYPT_COPROCESSOR + 0x040, a);
    device_write(COCRYPT_COPROCESSOR + 0x044, b);
    device_write(COCRYPT_COPROCESSOR + 0x000, 1);
    while (!device_read(COCRYPT_COPROCESSOR + 0x004)) {
    }
    return device_read(COCRYPT_COPROCESSOR + 0x080);
}
