/* Masks of the bits that wrap around when fields of 4, 16, 2 and 8 bits are rotated, three rotations each (see
 * slices.h). */

#include "slices.h"

const uint32_t gift_masks[10] = {
    0x77777777, 0x33333333, 0x11111111, 0x0fff0fff, 0x00ff00ff,
    0x000f000f, 0x55555555, 0x03030303, 0x0f0f0f0f, 0x3f3f3f3f,
};
