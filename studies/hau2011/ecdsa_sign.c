/* Signs "abc" with the key and the nonce of GEC 2; the output is r, then s. */

#include "domain.h"
#include "ecdsa.h"
#include "gec2.h"
#include "sha1.h"

uint8_t output[2 * GEC2_BYTES];

int main(void)
{
    static const uint8_t message[3] = {'a', 'b', 'c'};
    uint8_t              digest[SHA1_BYTES];
    SHA1                 hash;
    FIELDP               key, nonce, e;
    SIGNATURE            signature;
    sha1_init(&hash);
    sha1_update(&hash, message, sizeof message);
    sha1_final(&hash, digest);
    field_from_bytes(&e, digest, sizeof digest);
    field_from_bytes(&key, GEC2_PRIVATE_KEY, sizeof GEC2_PRIVATE_KEY);
    field_from_bytes(&nonce, GEC2_NONCE, sizeof GEC2_NONCE);
    int done = ecdsa_sign(&secp160r1, &key, &nonce, &e, &signature);
    field_to_bytes(&signature.r, output, GEC2_BYTES);
    field_to_bytes(&signature.s, output + GEC2_BYTES, GEC2_BYTES);
    wipe(&key, sizeof key);
    wipe(&nonce, sizeof nonce);
    return done ? 0 : 1;
}
