/* Generates a key pair with the seeded generator; the output is the public key. */

#include "domain.h"
#include "ecdsa.h"
#include "gec2.h"
#include "prng.h"

uint8_t output[2 * GEC2_BYTES];

int main(void)
{
    static const uint8_t seed[PRNG_SEED] = "cocrypt hau2011 key";
    uint8_t              bytes[GEC2_BYTES];
    PRNG                 generator;
    FIELDP               key;
    POINT                public_key;
    prng_init(&generator, seed);
    do {
        prng_bytes(&generator, bytes, sizeof bytes);
        field_from_bytes(&key, bytes, sizeof bytes);
    } while (!ecdsa_public_key(&secp160r1, &key, &public_key));
    field_to_bytes(&public_key.x, output, GEC2_BYTES);
    field_to_bytes(&public_key.y, output + GEC2_BYTES, GEC2_BYTES);
    prng_wipe(&generator);
    wipe(bytes, sizeof bytes);
    wipe(&key, sizeof key);
    return 0;
}
