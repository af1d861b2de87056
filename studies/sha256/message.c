/* The digest of a message of 1,000 bytes, byte i of which is i modulo 251. */

#include "sha256.h"

enum { SIZE = 1000 };

uint8_t output[SHA256_BYTES];

int main(void)
{
    static uint8_t message[SIZE];
    SHA256         hash;
    for (unsigned i = 0; i < SIZE; i++) {
        message[i] = (uint8_t)(i % 251);
    }
    sha256_init(&hash);
    sha256_update(&hash, message, sizeof message);
    sha256_final(&hash, output);
    return 0;
}
