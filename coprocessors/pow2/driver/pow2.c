/* Driver of: Powers of two. */

#include "pow2_registers.h"

void pow2_run(uintptr_t base, const uint32_t *exponent, uint32_t *power)
{
    pow2_write_exponent(base, exponent[0]);
    power[0] = pow2_read_power(base);
}
