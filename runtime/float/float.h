/* Floating-point helpers that compilers call on cores without a floating-point unit.
 *
 * Names and meanings: "Routines for floating point emulation", GCC internals manual, 4.2; "Run-time ABI for the ARM
 * Architecture" (IHI 0043), 4.1. Results are those of IEEE 754-2019, rounded to nearest, ties to even; a conversion
 * to an integer saturates if the value is out of range, and gives 0 for a NaN. */

#ifndef COCRYPT_FLOAT_H
#define COCRYPT_FLOAT_H

#include <stdint.h>

/* Weak, so that a program may define them itself. */
#define WEAK __attribute__((weak))

#define DECLARE(type, mode)                         \
    WEAK type     __add##mode##3(type a, type b);   \
    WEAK type     __sub##mode##3(type a, type b);   \
    WEAK type     __mul##mode##3(type a, type b);   \
    WEAK type     __div##mode##3(type a, type b);   \
    WEAK type     __neg##mode##2(type a);           \
    WEAK int      __eq##mode##2(type a, type b);    \
    WEAK int      __ne##mode##2(type a, type b);    \
    WEAK int      __lt##mode##2(type a, type b);    \
    WEAK int      __le##mode##2(type a, type b);    \
    WEAK int      __gt##mode##2(type a, type b);    \
    WEAK int      __ge##mode##2(type a, type b);    \
    WEAK int      __unord##mode##2(type a, type b); \
    WEAK int32_t  __fix##mode##si(type a);          \
    WEAK uint32_t __fixuns##mode##si(type a);       \
    WEAK int64_t  __fix##mode##di(type a);          \
    WEAK uint64_t __fixuns##mode##di(type a);       \
    WEAK type     __floatsi##mode(int32_t a);       \
    WEAK type     __floatunsi##mode(uint32_t a);    \
    WEAK type     __floatdi##mode(int64_t a);       \
    WEAK type     __floatundi##mode(uint64_t a)

DECLARE(float, sf);
DECLARE(double, df);
WEAK double __extendsfdf2(float a);
WEAK float  __truncdfsf2(double a);

#endif
