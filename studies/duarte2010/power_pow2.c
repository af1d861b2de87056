/* 2^exponent by the coprocessor pow2: Power_HW() in the paper. */

#include "cocrypt/device.h"
#include "pow2_registers.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_power(uint32_t exponent)
{
    pow2_write_exponent(COCRYPT_COPROCESSOR, exponent);
    return pow2_read_power(COCRYPT_COPROCESSOR);
}
