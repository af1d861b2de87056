/* The digest of "abc", the first example of the standard. */

#include "sha256.h"

uint8_t output[SHA256_BYTES];

int main(void)
{
    static const uint8_t message[3] = {'a', 'b', 'c'};
    SHA256               hash;
    sha256_init(&hash);
    sha256_update(&hash, message, sizeof message);
    sha256_final(&hash, output);
    return 0;
}
