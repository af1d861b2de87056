/* 2^exponent by the core's shift instruction. */

#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_power(uint32_t exponent)
{
    return (uint32_t)1 << exponent;
}
