/* A static function that is called, jumped to as a function's last call, and reached by a pointer. */

#include <stdint.h>

typedef uint16_t step_function(uint16_t value);

uint16_t output[4];

volatile uint8_t chosen;

static uint16_t step(uint16_t value)
{
    return (uint16_t)(3 * value + 1);
}

static uint16_t other(uint16_t value)
{
    return value;
}

static step_function *const table[] = {step, other};

uint16_t jumping(uint16_t value);

__attribute__((noinline)) uint16_t jumping(uint16_t value)
{
    return step((uint16_t)(value + 4));
}

int main(void)
{
    step_function *volatile pointer = step;
    output[0] = step(4);
    output[1] = jumping(5);
    output[2] = table[chosen](9);
    output[3] = pointer(output[0]);
    return 0;
}
