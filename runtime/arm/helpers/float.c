/* Floating point by the names of "Run-time ABI for the ARM Architecture" (IHI 0043), 4.1.2. The comparisons that
 * return their result in the flags are left out, because no compiler calls them. */

#include "float.h"

#include "../../float/float.h"

#define DEFINE_EABI(type, t, mode)                                                             \
    type     __aeabi_##t##add(type a, type b) { return __add##mode##3(a, b); }                 \
    type     __aeabi_##t##sub(type a, type b) { return __sub##mode##3(a, b); }                 \
    type     __aeabi_##t##rsub(type a, type b) { return __sub##mode##3(b, a); }                \
    type     __aeabi_##t##mul(type a, type b) { return __mul##mode##3(a, b); }                 \
    type     __aeabi_##t##div(type a, type b) { return __div##mode##3(a, b); }                 \
    type     __aeabi_##t##neg(type a) { return __neg##mode##2(a); }                            \
    int      __aeabi_##t##cmpeq(type a, type b) { return __eq##mode##2(a, b) == 0; }           \
    int      __aeabi_##t##cmplt(type a, type b) { return __lt##mode##2(a, b) < 0; }            \
    int      __aeabi_##t##cmple(type a, type b) { return __le##mode##2(a, b) <= 0; }           \
    int      __aeabi_##t##cmpgt(type a, type b) { return __gt##mode##2(a, b) > 0; }            \
    int      __aeabi_##t##cmpge(type a, type b) { return __ge##mode##2(a, b) >= 0; }           \
    int      __aeabi_##t##cmpun(type a, type b) { return __unord##mode##2(a, b); }             \
    int32_t  __aeabi_##t##2iz(type a) { return __fix##mode##si(a); }                           \
    uint32_t __aeabi_##t##2uiz(type a) { return __fixuns##mode##si(a); }                       \
    int64_t  __aeabi_##t##2lz(type a) { return __fix##mode##di(a); }                           \
    uint64_t __aeabi_##t##2ulz(type a) { return __fixuns##mode##di(a); }                       \
    type     __aeabi_i2##t(int32_t a) { return __floatsi##mode(a); }                           \
    type     __aeabi_ui2##t(uint32_t a) { return __floatunsi##mode(a); }                       \
    type     __aeabi_l2##t(int64_t a) { return __floatdi##mode(a); }                           \
    type     __aeabi_ul2##t(uint64_t a) { return __floatundi##mode(a); }

DEFINE_EABI(float, f, sf)
DEFINE_EABI(double, d, df)

double __aeabi_f2d(float a)
{
    return __extendsfdf2(a);
}

float __aeabi_d2f(double a)
{
    return __truncdfsf2(a);
}
