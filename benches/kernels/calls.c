/* The doubly recursive Fibonacci function: calls and returns and little else. */
#include "kernel.h"

static __attribute__((noinline)) uint32_t fibonacci(uint32_t n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

uint32_t kernel(uint32_t rounds) {
    uint32_t sum = 0;
    for (uint32_t round = 0; round < rounds; round++) sum += fibonacci(18 + (round & 1));
    return sum;
}
