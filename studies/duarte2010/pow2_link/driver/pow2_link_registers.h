/* Powers of two, at a link of the core. */

#ifndef POW2_LINK_REGISTERS_H
#define POW2_LINK_REGISTERS_H

#include <stdint.h>

/* -DPOW2_LINK_LINK= gives the number of its link, if that is not the first. */
#ifndef POW2_LINK_LINK
#define POW2_LINK_LINK 0
#endif

#define POW2_LINK_QUOTE(link) #link
#define POW2_LINK_QUOTED(link) POW2_LINK_QUOTE(link)
#define POW2_LINK_PORT "rfsl" POW2_LINK_QUOTED(POW2_LINK_LINK)

static inline void pow2_link_send_exponent(uint32_t value)
{
    __asm__ volatile ("put %0, " POW2_LINK_PORT : : "d"(value));
}

static inline uint32_t pow2_link_take_power(void)
{
    uint32_t value;
    __asm__ volatile ("get %0, " POW2_LINK_PORT : "=d"(value));
    return value;
}

/* Runs an operation: sends the operands, waits for the result and takes it. */
void pow2_link_run(const uint32_t *exponent, uint32_t *power);

#endif
