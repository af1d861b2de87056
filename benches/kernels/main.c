/* Runs the kernel ROUNDS times; the result is where a debugger or the bench can read it. */
#include "kernel.h"

volatile uint32_t checksum;

int main(void) {
    checksum = kernel(ROUNDS);
#ifdef __AVR__
    /* This ends a run on simavr, which knows no exit device. */
    __asm__ volatile("cli\n\tsleep");
#endif
    return 0;
}
