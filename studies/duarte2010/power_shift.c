/* 2^exponent by the shifter that the core has. */

#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_power(uint32_t exponent)
{
    return (uint32_t)1 << exponent;
}
