/* Compares the runtime's floating point with the processor's own, on operands drawn at random: any, near each other,
 * with few bits, and smaller than all normal numbers. Prints the first operands that differ. */

#include "float.h"

#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

/* xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016. */
static uint64_t drawn(void)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return state * 0x2545f4914f6cdd1du;
}

/* Which result differs, from 1 on; 0 for none. */
#define CHECK(type, bits, mode, fraction)                                                         \
    static int check_##mode(bits a, bits b)                                                       \
    {                                                                                             \
        type x, y;                                                                                \
        memcpy(&x, &a, sizeof x), memcpy(&y, &b, sizeof y);                                       \
        type ours[]  = {__add##mode##3(x, y), __sub##mode##3(x, y), __mul##mode##3(x, y),         \
                        __div##mode##3(x, y), __floatdi##mode((int64_t)a),                        \
                        __floatundi##mode(b * 3u)};                                               \
        type right[] = {x + y, x - y, x * y, x / y, (type)(int64_t)a, (type)(uint64_t)(b * 3u)};  \
        for (int i = 0; i < 6; i++) {                                                             \
            if (memcmp(&ours[i], &right[i], sizeof x) != 0 && right[i] == right[i]) {             \
                return i + 1;                                                                     \
            }                                                                                     \
        }                                                                                         \
        int is_less = __lt##mode##2(x, y) < 0, is_not_less = __ge##mode##2(x, y) >= 0;            \
        return is_less != (x < y) || is_not_less != (x >= y) ? 7 : 0;                             \
    }                                                                                             \
    static bits near_##mode(bits a)                                                               \
    {                                                                                             \
        bits far = (bits)(drawn() % 120) - 60;                                                    \
        return a + (far << fraction) + (bits)(drawn() % 5) - 2;                                   \
    }

CHECK(float, uint32_t, sf, 23)
CHECK(double, uint64_t, df, 52)

/* Whether a number becomes the right one of single precision, and one of these the right double. */
static int converts(double a, float b)
{
    float  narrow = __truncdfsf2(a), right = (float)a;
    double wide   = __extendsfdf2(b);
    int is_narrow = memcmp(&narrow, &right, sizeof right) == 0 || right != right;
    return is_narrow && (wide == (double)b || b != b);
}

static int refuses(long round)
{
    uint64_t a = drawn(), b = round % 2 != 0 ? near_df(a) : drawn();
    uint32_t c = (uint32_t)drawn(), d = round % 2 != 0 ? near_sf(c) : (uint32_t)drawn();
    if (round % 7 == 0) {
        b &= ~(uint64_t)0 << drawn() % 52, d &= ~0u << drawn() % 23;
    }
    if (round % 11 == 0) {
        a &= ~((uint64_t)0x7ff << 52), c &= ~(0xffu << 23);
    }
    double e;
    float  f;
    memcpy(&e, &a, sizeof e), memcpy(&f, &c, sizeof f);
    if (round % 3 != 0) {
        e = f * (1 + (double)(drawn() >> 11) / 9007199254740992.0);
    }
    int wrong = converts(e, f) ? 0 : 100;
    wrong += 10 * check_df(a, b) + check_sf(c, d);
    if (wrong != 0) {
        printf("%d: %#llx %#llx, %#x %#x, %a\n", wrong, (unsigned long long)a, (unsigned long long)b, c, d, e);
    }
    return wrong;
}

int main(void)
{
    for (long round = 0; round < 2000000; round++) {
        if (refuses(round) != 0) {
            return 1;
        }
    }
    return 0;
}
