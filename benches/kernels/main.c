/* Runs the kernel ROUNDS times; the result is where a debugger or the bench can read it. */
#include "kernel.h"

volatile uint32_t checksum;

int main(void) {
    checksum = kernel(ROUNDS);
    return 0;
}
