/* The paper's program: makes keys from two primes, then encrypts and decrypts a text in place.
 *
 * TEXT_BYTES is the length of the text, a multiple of four. Marks are where the paper read its timer: 1 and 2
 * around encryption, 3 and 4 around decryption. */

#ifndef PROGRAM_H
#define PROGRAM_H

#include "bytes.h"
#include "cocrypt/device.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

enum { FIRST_FROM = 50000, SECOND_FROM = 60000 }; /* start of the search for the two primes     */

/* n, e, d, the checksum of the ciphertext, and that of the decrypted text. */
uint32_t output[5];

static uint8_t text[TEXT_BYTES];

/* Fills the text with printable characters from a linear congruential generator (constants of Numerical Recipes): its
 * words are below any n with a higher first byte. */
static void write_text(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof text; i++) {
        state   = state * 1664525u + 1013904223u;
        text[i] = (uint8_t)(' ' + (state >> 26));
    }
}

/* A checksum that depends on the order of words. */
static uint32_t summed(void)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof text; i += RSA_TOY_BYTES) {
        sum = 31 * sum + load32_be(text + i);
    }
    return sum;
}

/* Raises each word of the text to the power of y, between two marks. */
static int timed(uint32_t mark, uint32_t y, uint32_t n)
{
    device_write(COCRYPT_MARKS, mark);
    int refused = rsa_toy_crypt(text, text, sizeof text, y, n);
    device_write(COCRYPT_MARKS, mark + 1);
    return refused;
}

int main(void)
{
    RSA_TOY_KEYS keys;
    if (rsa_toy_keys(FIRST_FROM, SECOND_FROM, &keys)) {
        return 1;
    }
    output[0] = keys.n;
    output[1] = keys.e;
    output[2] = keys.d;
    write_text();
    if (timed(1, keys.e, keys.n)) {
        return 2;
    }
    output[3] = summed();
    if (timed(3, keys.d, keys.n)) {
        return 3;
    }
    output[4] = summed();
    return 0;
}

#endif
