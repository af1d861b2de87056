/* Digests of messages of several lengths, for an ATmega with avr-libc around them. */

#include "sha1.h"

enum { LENGTHS = 4, LONGEST = 70 };

volatile uint8_t digests[LENGTHS][SHA1_BYTES];

int main(void)
{
    static const uint8_t lengths[LENGTHS] = {0, 3, 55, LONGEST};
    uint8_t message[LONGEST];
    for (uint8_t at = 0; at < LONGEST; at++)
        message[at] = (uint8_t)(at * at + 1);
    for (uint8_t number = 0; number < LENGTHS; number++) {
        SHA1 state;
        uint8_t digest[SHA1_BYTES];
        sha1_init(&state);
        sha1_update(&state, message, lengths[number]);
        sha1_final(&state, digest);
        for (uint8_t at = 0; at < SHA1_BYTES; at++)
            digests[number][at] = digest[at];
    }
    return 0;
}
