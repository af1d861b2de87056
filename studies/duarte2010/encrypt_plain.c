/* x^y mod n with one step for each bit of y, which is shifted right: no powers of two are needed. */

#include "doubling.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

uint32_t rsa_toy_encrypt(uint32_t x, uint32_t y, uint32_t n)
{
    uint32_t result = n > 1;
    for (; y != 0; y >>= 1) {
        if (y & 1) {
            result = doubled_and_added(result, x, n);
        }
        x = doubled_and_added(x, x, n);
    }
    return result;
}
