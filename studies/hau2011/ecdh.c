/* The shared secret of GEC 2, section 4.1. */

#include "ecdh.h"
#include "domain.h"
#include "gec2.h"

uint8_t output[GEC2_BYTES];

int main(void)
{
    FIELDP key, secret;
    POINT  other = {{{0}}, {{0}}, 0};
    field_from_bytes(&key, GEC2_PRIVATE_KEY, sizeof GEC2_PRIVATE_KEY);
    field_from_bytes(&other.x, GEC2_OTHER_KEY, GEC2_BYTES);
    field_from_bytes(&other.y, GEC2_OTHER_KEY + GEC2_BYTES, GEC2_BYTES);
    int done = ecdh(&secp160r1, &key, &other, &secret);
    field_to_bytes(&secret, output, GEC2_BYTES);
    wipe(&key, sizeof key);
    wipe(&secret, sizeof secret);
    return done ? 0 : 1;
}
