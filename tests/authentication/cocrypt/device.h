/* Stands in for the runtime's header when firmware runs on the host: the two peripherals that it uses. */

#ifndef COCRYPT_DEVICE_H
#define COCRYPT_DEVICE_H

#include <stdint.h>

#define COCRYPT_COUNTER 0x10u
#define COCRYPT_MARKS   0x30u

void     device_write(uint32_t address, uint32_t value);
uint32_t device_read(uint32_t address);

#endif
