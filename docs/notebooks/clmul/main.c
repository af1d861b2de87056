/* The workload: powers of a polynomial, the last of which is the result. */

#include <stdint.h>

uint32_t clmul(uint32_t a, uint32_t b);

uint32_t output;

int main(void)
{
    output = 1;
    for (int power = 0; power < 100; power++) {
        output = clmul(output, 0x04c11db7);
    }
    return 0;
}
