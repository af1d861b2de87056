/* The double of the base point; the output is x, then y. */

#include "domain.h"
#include "gec2.h"

uint8_t output[2 * GEC2_BYTES];

int main(void)
{
    POINT twice;
    point_double(&secp160r1, &secp160r1.g, &twice);
    field_to_bytes(&twice.x, output, GEC2_BYTES);
    field_to_bytes(&twice.y, output + GEC2_BYTES, GEC2_BYTES);
    return 0;
}
