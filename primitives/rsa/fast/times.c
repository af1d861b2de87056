/* A single product modulo n. */

#include "bytes.h"
#include "fast.h"

typedef struct {
    MODULUS  of;
    uint32_t a[WORDS], b[WORDS];
} WORK;

int RSA(times)(const uint8_t n[RSA_BYTES], const uint8_t a[RSA_BYTES], const uint8_t b[RSA_BYTES],
               uint8_t result[RSA_BYTES])
{
    WORK own;
    number_load(own.of.m, n, WORDS);
    number_load(own.a, a, WORDS);
    number_load(own.b, b, WORDS);
    uint32_t below = number_subtract(own.of.t, own.a, own.of.m, WORDS);
    below &= number_subtract(own.of.t, own.b, own.of.m, WORDS);
    int fine = (int)revealed(below & own.of.m[0] & 1);
    if (fine) {
        modulus_set(&own.of, n, WORDS, number_bits(own.of.m, WORDS));
        modulus_multiply(&own.of, own.a, own.a, own.of.square);
        modulus_multiply(&own.of, own.b, own.a, own.b);
        number_store(result, own.b, WORDS);
    }
    wipe(&own, sizeof own);
    return fine - 1;
}
