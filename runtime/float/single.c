/* Single precision, IEEE 754's binary32. */

#include "float.h"

#define MODE     sf
#define FLOAT    float
#define BITS     uint32_t
#define SIGNED   int32_t
#define WIDTH    32
#define FRACTION 23

static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    return (uint32_t)(product >> 32) | ((uint32_t)product != 0);
}

#include "binary.h"
