/* The XOR stream cipher: each byte with one of the keystream. */

#include "xor_stream.h"
#include "prng.h"

void xor_stream(const uint8_t key[XOR_STREAM_KEY], const uint8_t *from, uint8_t *to, size_t size)
{
    PRNG    keystream;
    uint8_t byte = 0;
    prng_init(&keystream, key);
    for (size_t i = 0; i < size; i++) {
        prng_bytes(&keystream, &byte, 1);
        to[i] = from[i] ^ byte;
    }
    *(volatile uint8_t *)&byte = 0;
    prng_wipe(&keystream);
}
