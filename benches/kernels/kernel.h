/* What a kernel is: `kernel(rounds)` does its work so many times and returns a checksum of it.
 * `rounds_for(instructions)` is not its business: benches/speed.py asks for as many as it needs. */
#ifndef COCRYPT_KERNEL_H
#define COCRYPT_KERNEL_H

#include <stdint.h>

uint32_t kernel(uint32_t rounds);

#endif
