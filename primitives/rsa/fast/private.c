/* The private operation with the exponent (RFC 8017, sections 5.1.2 and 5.2.1). */

#include "bytes.h"
#include "fast.h"

typedef struct {
    MODULUS  of;
    uint32_t x[WORDS], z[WORDS], table[(ENTRIES + 1) * WORDS];
} WORK;

int RSA(raw_private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                     uint8_t result[RSA_BYTES])
{
    WORK own;
    number_load(own.of.m, n, WORDS);
    number_load(own.x, message, WORDS);
    int fine = (own.of.m[0] & 1) && number_subtract(own.z, own.x, own.of.m, WORDS);
    if (fine) {
        modulus_set(&own.of, n, WORDS, number_bits(own.of.m, WORDS));
        modulus_multiply(&own.of, own.x, own.x, own.of.square);
        modulus_power(&own.of, own.z, own.x, d, RSA_BYTES, own.table);
        for (unsigned i = 0; i < WORDS; i++) {
            own.of.t[i]         = own.z[i];
            own.of.t[i + WORDS] = 0;
        }
        modulus_reduce(&own.of, own.z);
        number_store(result, own.z, WORDS);
    }
    wipe(&own, sizeof own);
    return fine - 1;
}
