/* Floating-point helpers that compilers for ARM call. */

#ifndef COCRYPT_ARM_FLOAT_H
#define COCRYPT_ARM_FLOAT_H

#include <stdint.h>

/* Weak, so that a program may define them itself. */
#define WEAK __attribute__((weak))

#define DECLARE_EABI(type, t)                         \
    WEAK type     __aeabi_##t##add(type a, type b);   \
    WEAK type     __aeabi_##t##sub(type a, type b);   \
    WEAK type     __aeabi_##t##rsub(type a, type b);  \
    WEAK type     __aeabi_##t##mul(type a, type b);   \
    WEAK type     __aeabi_##t##div(type a, type b);   \
    WEAK type     __aeabi_##t##neg(type a);           \
    WEAK int      __aeabi_##t##cmpeq(type a, type b); \
    WEAK int      __aeabi_##t##cmplt(type a, type b); \
    WEAK int      __aeabi_##t##cmple(type a, type b); \
    WEAK int      __aeabi_##t##cmpgt(type a, type b); \
    WEAK int      __aeabi_##t##cmpge(type a, type b); \
    WEAK int      __aeabi_##t##cmpun(type a, type b); \
    WEAK int32_t  __aeabi_##t##2iz(type a);           \
    WEAK uint32_t __aeabi_##t##2uiz(type a);          \
    WEAK int64_t  __aeabi_##t##2lz(type a);           \
    WEAK uint64_t __aeabi_##t##2ulz(type a);          \
    WEAK type     __aeabi_i2##t(int32_t a);           \
    WEAK type     __aeabi_ui2##t(uint32_t a);         \
    WEAK type     __aeabi_l2##t(int64_t a);           \
    WEAK type     __aeabi_ul2##t(uint64_t a)

DECLARE_EABI(float, f);
DECLARE_EABI(double, d);
WEAK double __aeabi_f2d(float a);
WEAK float  __aeabi_d2f(double a);

#endif
