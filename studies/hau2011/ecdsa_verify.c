/* Verifies the signature of GEC 2 on "abc"; the output is 1 if it is valid. */

#include "domain.h"
#include "ecdsa.h"
#include "gec2.h"
#include "sha1.h"

uint8_t output[1];

int main(void)
{
    static const uint8_t message[3] = {'a', 'b', 'c'};
    uint8_t              digest[SHA1_BYTES];
    SHA1                 hash;
    FIELDP               e;
    POINT                key = {{{0}}, {{0}}, 0};
    SIGNATURE            signature;
    sha1_init(&hash);
    sha1_update(&hash, message, sizeof message);
    sha1_final(&hash, digest);
    field_from_bytes(&e, digest, sizeof digest);
    field_from_bytes(&key.x, GEC2_PUBLIC_KEY, GEC2_BYTES);
    field_from_bytes(&key.y, GEC2_PUBLIC_KEY + GEC2_BYTES, GEC2_BYTES);
    field_from_bytes(&signature.r, GEC2_SIGNATURE, GEC2_BYTES);
    field_from_bytes(&signature.s, GEC2_SIGNATURE + GEC2_BYTES, GEC2_BYTES);
    output[0] = (uint8_t)ecdsa_verify(&secp160r1, &key, &e, &signature);
    return 0;
}
