/* The sum of the base point and the public key of GEC 2; the output is x, then y. */

#include "domain.h"
#include "gec2.h"

uint8_t output[2 * GEC2_BYTES];

int main(void)
{
    POINT sum, key = {{{0}}, {{0}}, 0};
    field_from_bytes(&key.x, GEC2_PUBLIC_KEY, GEC2_BYTES);
    field_from_bytes(&key.y, GEC2_PUBLIC_KEY + GEC2_BYTES, GEC2_BYTES);
    point_add(&secp160r1, &secp160r1.g, &key, &sum);
    field_to_bytes(&sum.x, output, GEC2_BYTES);
    field_to_bytes(&sum.y, output + GEC2_BYTES, GEC2_BYTES);
    return 0;
}
