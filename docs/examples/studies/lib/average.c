/* What all workloads may call; the linker leaves out what none of them does. */

#include <stdint.h>

uint32_t average(uint32_t a, uint32_t b);

uint32_t average(uint32_t a, uint32_t b)
{
    return a / 2 + b / 2 + (a & b & 1);
}
