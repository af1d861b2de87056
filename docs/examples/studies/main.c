/* The workload: a hundred sums, and the last one as the result. */

#include <stdint.h>

uint32_t sum(uint32_t a, uint32_t b);

uint32_t output;

int main(void)
{
    for (uint32_t i = 1; i <= 100; i++) {
        output = sum(output, i);
    }
    return 0;
}
