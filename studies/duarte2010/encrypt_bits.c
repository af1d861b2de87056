/* x^y mod n with one step for each bit of y; each step still calls Power(). */

#include "doubling.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_encrypt(uint32_t x, uint32_t y, uint32_t n)
{
    uint32_t result = n > 1;
    for (uint32_t bit = 0; bit < 32 && y >> bit != 0; bit++) {
        if (y & rsa_toy_power(bit)) {
            result = doubled_and_added(result, x, n);
        }
        x = doubled_and_added(x, x, n);
    }
    return result;
}
