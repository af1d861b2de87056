/* Floating point: The Java Virtual Machine Specification, 2.8 and chapter 6, on IEEE 754's binary32 and binary64.
 *
 * Values are ints and longs with their bits. The compiler's own functions compute, whose rounding is to the nearest;
 * conversions to integers saturate, comparisons tell NaN apart, and remainders are those of `fmod`. */

#ifndef COCRYPT_JAVA_FLOATING_H
#define COCRYPT_JAVA_FLOATING_H

#include "vm.h"

/* A function that takes operands from Java's stack, and returns the new top; those that the program's bytecode uses. */
typedef int32_t *(*java_operation)(int32_t *sp);
extern const java_operation java_floating[];

static inline jfloat java_float(int32_t bits)
{
    union { int32_t bits; jfloat value; } both = {.bits = bits};
    return both.value;
}

static inline int32_t java_float_bits(jfloat value)
{
    union { jfloat value; int32_t bits; } both = {.value = value};
    return both.bits;
}

static inline jdouble java_double(int64_t bits)
{
    union { int64_t bits; jdouble value; } both = {.bits = bits};
    return both.value;
}

static inline int64_t java_double_bits(jdouble value)
{
    union { jdouble value; int64_t bits; } both = {.value = value};
    return both.bits;
}

/* A number's digits, with the leading one where normal numbers have it, and its exponent; the number is not zero. */
static inline uint64_t java_digits(uint64_t number, uint32_t fraction, int32_t *exponent)
{
    uint64_t leading = (uint64_t)1 << fraction, digits = number & (leading - 1);
    *exponent = (int32_t)(number >> fraction);
    if (*exponent) {
        return digits | leading;
    }
    for (*exponent = 1; digits < leading; digits <<= 1) {
        --*exponent;
    }
    return digits;
}

/* The remainder of two numbers by their bits, as in long division; `width` and `fraction` are bits of the format. */
static inline uint64_t java_float_remainder(uint64_t left, uint64_t right, uint32_t width, uint32_t fraction)
{
    uint64_t sign = (uint64_t)1 << (width - 1), leading = (uint64_t)1 << fraction;
    uint64_t kept = left & sign, infinite = sign - leading;
    left &= sign - 1;
    right &= sign - 1;
    if (right > infinite || left >= infinite || !right) {
        return infinite | leading >> 1;
    }
    if (left < right) {
        return kept | left;
    }
    int32_t  at, end;
    uint64_t rest = java_digits(left, fraction, &at), divisor = java_digits(right, fraction, &end);
    for (; at > end; at--) {
        rest = (rest >= divisor ? rest - divisor : rest) << 1;
    }
    rest = rest >= divisor ? rest - divisor : rest;
    for (; at < 1; at++) {
        rest >>= 1;
    }
    for (; rest && rest < leading && at > 1; at--) {
        rest <<= 1;
    }
    return kept | (rest < leading ? rest : (rest - leading) | (uint64_t)(uint32_t)at << fraction);
}

#define JAVA_FLOATING_TYPE(letter, bits, type, value, bits_of)                                                    \
    static inline bits java_##letter##add(bits a, bits b) { return bits_of(value(a) + value(b)); }                \
    static inline bits java_##letter##sub(bits a, bits b) { return bits_of(value(a) - value(b)); }                \
    static inline bits java_##letter##mul(bits a, bits b) { return bits_of(value(a) * value(b)); }                \
    static inline bits java_##letter##div(bits a, bits b) { return bits_of(value(a) / value(b)); }                \
    static inline int32_t java_##letter##compared(type a, type b, int32_t unordered)                              \
    {                                                                                                             \
        return a > b ? 1 : a == b ? 0 : a < b ? -1 : unordered;                                                   \
    }                                                                                                             \
    static inline int32_t java_##letter##cmpl(bits a, bits b)                                                     \
    {                                                                                                             \
        return java_##letter##compared(value(a), value(b), -1);                                                   \
    }                                                                                                             \
    static inline int32_t java_##letter##cmpg(bits a, bits b)                                                     \
    {                                                                                                             \
        return java_##letter##compared(value(a), value(b), 1);                                                    \
    }                                                                                                             \
    static inline int32_t java_##letter##2i(bits a)                                                               \
    {                                                                                                             \
        type number = value(a);                                                                                   \
        if (!(number < (type)2147483648.0)) {                                                                     \
            return number != number ? 0 : INT32_MAX;                                                              \
        }                                                                                                         \
        return number < (type)-2147483648.0 ? INT32_MIN : (int32_t)number;                                        \
    }                                                                                                             \
    static inline int64_t java_##letter##2l(bits a)                                                               \
    {                                                                                                             \
        type number = value(a);                                                                                   \
        if (!(number < (type)9223372036854775808.0)) {                                                            \
            return number != number ? 0 : INT64_MAX;                                                              \
        }                                                                                                         \
        return number < (type)-9223372036854775808.0 ? INT64_MIN : (int64_t)number;                               \
    }                                                                                                             \
    static inline bits java_i2##letter(int32_t a) { return bits_of((type)a); }                                    \
    static inline bits java_l2##letter(int64_t a) { return bits_of((type)a); }

JAVA_FLOATING_TYPE(f, int32_t, jfloat, java_float, java_float_bits)
JAVA_FLOATING_TYPE(d, int64_t, jdouble, java_double, java_double_bits)

static inline int32_t java_frem(int32_t a, int32_t b)
{
    return (int32_t)java_float_remainder((uint32_t)a, (uint32_t)b, 32, 23);
}

static inline int64_t java_drem(int64_t a, int64_t b)
{
    return (int64_t)java_float_remainder((uint64_t)a, (uint64_t)b, 64, 52);
}

static inline int32_t java_fneg(int32_t a)
{
    return (int32_t)((uint32_t)a ^ UINT32_C(1) << 31);
}

static inline int64_t java_dneg(int64_t a)
{
    return (int64_t)((uint64_t)a ^ UINT64_C(1) << 63);
}

static inline int64_t java_f2d(int32_t a)
{
    return java_double_bits((jdouble)java_float(a));
}

static inline int32_t java_d2f(int64_t a)
{
    return java_float_bits((jfloat)java_double(a));
}

#endif
