/* One mod_sub of the coordinates of the base point, y and x, modulo p. */

#include "domain.h"
#include "gec2.h"

uint8_t output[GEC2_BYTES];

int main(void)
{
    FIELDP z;
    mod_sub(secp160r1.g.y, secp160r1.g.x, secp160r1.p, &z);
    field_to_bytes(&z, output, GEC2_BYTES);
    return 0;
}
