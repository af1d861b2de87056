/* Driver of: Powers of two. */

#include "pow2_link_registers.h"

void pow2_link_run(const uint32_t *exponent, uint32_t *power)
{
    pow2_link_send_exponent(exponent[0]);
    power[0] = pow2_link_take_power();
}
