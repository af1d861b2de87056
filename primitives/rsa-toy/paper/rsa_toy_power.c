/* Powers of two: Power() in the paper, 118 cycles on its MicroBlaze and 58 in its coprocessor.
 *
 * A loop, although one shift would be enough: the paper's 118 cycles are about 7 for each of 15.5 steps, the average
 * for exponents of 0 to 31. */

#include "rsa_toy.h"

uint32_t rsa_toy_power(uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent-- > 0) {
        result *= 2;
    }
    return result;
}
