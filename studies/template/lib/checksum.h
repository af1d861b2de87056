/* SHA-256 (FIPS 180-4) of a message of up to 2^29 bytes. */

#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

void checksum(const uint8_t *message, size_t size, uint8_t digest[32]);

#endif
