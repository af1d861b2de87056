/* 2^exponent by the coprocessor pow2_link, over a link of the core. */

#include "pow2_link_registers.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_power(uint32_t exponent)
{
    pow2_link_send_exponent(exponent);
    return pow2_link_take_power();
}
