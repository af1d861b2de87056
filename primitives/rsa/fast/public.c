/* The public operation (RFC 8017, sections 5.1.1 and 5.2.2); only the message may be secret. */

#include "bytes.h"
#include "fast.h"

typedef struct {
    MODULUS  of;
    uint32_t message[WORDS], x[WORDS], z[WORDS];
} WORK;

/* z = message^e. The last factor is the message itself, not its Montgomery form, which converts the result from
 * Montgomery form. */
static void power(WORK *own, uint32_t e)
{
    unsigned bit = 31;
    modulus_multiply(&own->of, own->x, own->message, own->of.square);
    number_copy(own->z, own->of.one, WORDS);
    while (bit > 0 && !(e >> bit & 1)) {
        bit--;
    }
    for (; bit > 0; bit--) {
        if (e >> bit & 1) {
            modulus_multiply(&own->of, own->z, own->z, own->x);
        }
        modulus_square(&own->of, own->z, own->z);
    }
    for (unsigned i = 0; i < WORDS; i++) {
        own->x[i] = i == 0;
    }
    modulus_multiply(&own->of, own->z, own->z, e & 1 ? own->message : own->x);
}

int RSA(raw_public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                    uint8_t result[RSA_BYTES])
{
    WORK own;
    number_load(own.of.m, n, WORDS);
    number_load(own.message, message, WORDS);
    int fine = (own.of.m[0] & 1) && number_subtract(own.z, own.message, own.of.m, WORDS);
    if (fine) {
        modulus_set(&own.of, n, WORDS, number_bits(own.of.m, WORDS));
        power(&own, load32_be(e));
        number_store(result, own.z, WORDS);
    }
    wipe(&own, sizeof own);
    return fine - 1;
}
