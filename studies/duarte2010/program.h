/* The paper's program: keys from two primes, then a text that is encrypted and decrypted again, in its place.
 *
 * TEXT_BYTES says how long the text is, in whole words. Marks stand around both, where the paper read its
 * timer: 1 and 2 around encryption, 3 and 4 around decryption. */

#ifndef PROGRAM_H
#define PROGRAM_H

#include "bytes.h"
#include "cocrypt/device.h"
#include "../../primitives/rsa-toy/paper/rsa_toy.h"

enum { FIRST_FROM = 50000, SECOND_FROM = 60000 }; /* where the search for the two primes begins */

/* n, e, d, the cipher's words summed up, and those of the text that came back. */
uint32_t output[5];

static uint8_t text[TEXT_BYTES];

/* Printable characters from a congruential generator (Numerical Recipes' constants): words below any n that
 * begins with a higher byte. */
static void write_text(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof text; i++) {
        state   = state * 1664525u + 1013904223u;
        text[i] = (uint8_t)(' ' + (state >> 26));
    }
}

/* A sum in which the order of words counts. */
static uint32_t summed(void)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof text; i += RSA_TOY_BYTES) {
        sum = 31 * sum + load32_be(text + i);
    }
    return sum;
}

/* The text to the power of y between two marks. */
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
