/* Copies, rotates and whitens a block (ISO/IEC 18033-3, HIGHT); bytes are numbered from the end. */

#include "small.h"
#include "wiping.h"

uintptr_t hight_move(uint8_t to[8], unsigned in, const uint8_t from[8], unsigned out, const uint8_t key[4],
                     unsigned back)
{
    for (unsigned i = 0; i < 8; i++) {
        unsigned byte = from[(i + out) % 8];
        if (i % 4 == 1) {
            byte ^= key[i / 2];
        }
        if (i % 4 == 3) {
            byte += (key[i / 2] ^ back) - back;
        }
        to[(i + in) % 8] = (uint8_t)byte;
    }
    return stack_depth();
}
