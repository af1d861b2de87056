/* Double precision, IEEE 754's binary64, and conversions to and from single precision. */

#include "float.h"

#define MODE     df
#define FLOAT    double
#define BITS     uint64_t
#define SIGNED   int64_t
#define WIDTH    64
#define FRACTION 52

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint32_t a_low = (uint32_t)a, a_high = (uint32_t)(a >> 32);
    uint32_t b_low = (uint32_t)b, b_high = (uint32_t)(b >> 32);
    uint64_t low    = (uint64_t)a_low * b_low;
    uint64_t first  = (uint64_t)a_high * b_low + (low >> 32);
    uint64_t second = (uint64_t)a_low * b_high + (uint32_t)first;
    uint64_t high   = (uint64_t)a_high * b_high + (first >> 32) + (second >> 32);
    return high | ((uint32_t)low != 0 || (uint32_t)second != 0);
}

#include "binary.h"

enum {
    SINGLE_FRACTION = 23,
    SINGLE_BIAS     = 127,
    SINGLE_HIGHEST  = 255,
    FURTHER         = FRACTION - SINGLE_FRACTION
};

typedef union {
    float    value;
    uint32_t bits;
} single;

double __extendsfdf2(float a)
{
    single   it       = {.value = a};
    uint64_t sign     = (uint64_t)(it.bits >> 31) << 63;
    uint64_t fraction = (uint64_t)(it.bits & 0x7fffff) << FURTHER;
    int      exponent = (int)(it.bits >> SINGLE_FRACTION & SINGLE_HIGHEST);
    if (exponent == SINGLE_HIGHEST) {
        return value_of(sign | INFINITE | fraction | (fraction != 0 ? QUIET : 0));
    }
    if (exponent == 0) {
        if (fraction == 0) {
            return value_of(sign);
        }
        exponent = 1;
        while (fraction < HIDDEN) {
            fraction <<= 1;
            exponent--;
        }
    }
    uint64_t stored = (uint64_t)(exponent - SINGLE_BIAS + BIAS) << FRACTION;
    return value_of(sign | stored | (fraction & (HIDDEN - 1)));
}

/* Same as `rounded` for single precision; the significand's leading bit is bit 26. */
static uint32_t rounded_single(uint32_t sign, int exponent, uint64_t significand)
{
    if (exponent >= SINGLE_HIGHEST) {
        return sign | (uint32_t)SINGLE_HIGHEST << SINGLE_FRACTION;
    }
    if (exponent <= 0) {
        significand = lowered(significand, 1 - exponent);
        exponent    = 0;
    }
    uint32_t result = sign | (uint32_t)exponent << SINGLE_FRACTION;
    result |= (uint32_t)(significand >> 3) & 0x7fffff;
    uint32_t below = (uint32_t)significand & 7;
    return result + (below > 4 || (below == 4 && (result & 1) != 0));
}

float __truncdfsf2(double a)
{
    uint64_t bits = bits_of(a), size = size_of(bits);
    single   it   = {.bits = (uint32_t)(bits >> 63) << 31};
    if (size >= INFINITE) {
        uint32_t fraction = (uint32_t)(size >> FURTHER) & 0x7fffff;
        it.bits |= 0x7f800000 | (is_nan(size) ? fraction | 0x400000 : 0);
    } else if (size != 0) {
        number   from        = opened(bits);
        uint64_t significand = lowered(from.significand, FURTHER - 3);
        it.bits = rounded_single(it.bits, from.exponent - BIAS + SINGLE_BIAS, significand);
    }
    return it.value;
}
