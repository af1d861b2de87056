/* x^y mod n with Montgomery products by the coprocessor montgomery32, R = 2^32. n must be odd. */

#include "cocrypt/device.h"
#include "doubling.h"
#include "montgomery32_registers.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

/* The Montgomery product a b / R mod n; the coprocessor already has the modulus. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    montgomery32_write_x(COCRYPT_COPROCESSOR, a);
    montgomery32_write_y(COCRYPT_COPROCESSOR, b);
    montgomery32_write_control(COCRYPT_COPROCESSOR, MONTGOMERY32_CONTROL_START);
    while (!(montgomery32_read_status(COCRYPT_COPROCESSOR) & MONTGOMERY32_STATUS_DONE)) {
    }
    return montgomery32_read_z(COCRYPT_COPROCESSOR);
}

uint32_t rsa_toy_encrypt(uint32_t x, uint32_t y, uint32_t n)
{
    uint32_t result = (0u - n) % n;
    montgomery32_write_m(COCRYPT_COPROCESSOR, n);
    for (unsigned i = 0; i < 32; i++) {
        x = doubled(x, n);
    }
    for (; y != 0; y >>= 1) {
        if (y & 1) {
            result = multiply(result, x);
        }
        x = multiply(x, x);
    }
    return multiply(result, 1);
}
