/* The base point times the nonce of GEC 2; the output is x, then y. */

#include "domain.h"
#include "gec2.h"

uint8_t output[2 * GEC2_BYTES];

int main(void)
{
    FIELDP nonce;
    POINT  product;
    field_from_bytes(&nonce, GEC2_NONCE, sizeof GEC2_NONCE);
    point_multiply(&secp160r1, &nonce, &secp160r1.g, &product);
    field_to_bytes(&product.x, output, GEC2_BYTES);
    field_to_bytes(&product.y, output + GEC2_BYTES, GEC2_BYTES);
    wipe(&nonce, sizeof nonce);
    return 0;
}
