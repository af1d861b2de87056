/* The arithmetic of one binary format, in integers only. The including file defines the format:
 *
 *   MODE         the mode in GCC's function names, sf or df
 *   FLOAT        the C type
 *   BITS, SIGNED an unsigned and a signed integer of the same size
 *   WIDTH        the format's width in bits
 *   FRACTION     the number of fraction bits
 *   multiply     the upper half of the product of two BITS, with the lowest bit set if the lower half is not 0
 *
 * Significands before rounding have three more bits than the format: guard, round and sticky bit, of which the last
 * is set if any bit below it was lost. */

#define JOIN(a, b, c)    a##b##c
#define NAME(a, mode, b) JOIN(a, mode, b)
#define FUNCTION(a, b)   NAME(a, MODE, b)

#define ONE      ((BITS)1)
#define SIGN     (ONE << (WIDTH - 1))
#define HIDDEN   (ONE << FRACTION)
#define LEADING  (HIDDEN << 3)
#define HIGHEST  ((int)((ONE << (WIDTH - 1 - FRACTION)) - 1))
#define BIAS     (HIGHEST / 2)
#define INFINITE ((BITS)HIGHEST << FRACTION)
#define QUIET    (HIDDEN >> 1)

typedef union {
    FLOAT value;
    BITS  bits;
} both;

/* A finite number other than 0: its significand with the hidden bit, and its biased exponent. */
typedef struct {
    BITS significand;
    int  exponent;
} number;

static BITS bits_of(FLOAT value)
{
    both it = {.value = value};
    return it.bits;
}

static FLOAT value_of(BITS bits)
{
    both it = {.bits = bits};
    return it.value;
}

static BITS size_of(BITS a)
{
    return a & ~SIGN;
}

static int is_nan(BITS a)
{
    return size_of(a) > INFINITE;
}

static number opened(BITS a)
{
    number it = {a & (HIDDEN - 1), (int)(size_of(a) >> FRACTION)};
    if (it.exponent != 0) {
        it.significand |= HIDDEN;
        return it;
    }
    it.exponent = 1;
    while (it.significand < HIDDEN) {
        it.significand <<= 1;
        it.exponent--;
    }
    return it;
}

/* Shifts right; lost bits set the lowest bit (sticky bit). */
static BITS lowered(BITS a, int count)
{
    if (count >= WIDTH) {
        return a != 0;
    }
    return count == 0 ? a : a >> count | (a << (WIDTH - count) != 0);
}

/* Rounds and packs a sign, an exponent and a significand, whose leading bit is LEADING. */
static BITS rounded(BITS sign, int exponent, BITS significand)
{
    if (exponent >= HIGHEST) {
        return sign | INFINITE;
    }
    if (exponent <= 0) {
        significand = lowered(significand, 1 - exponent);
        exponent    = 0;
    }
    BITS result = sign | (BITS)exponent << FRACTION | (significand >> 3 & (HIDDEN - 1));
    BITS below  = significand & 7;
    /* A carry out of the fraction increments the exponent, as intended. */
    return result + (below > 4 || (below == 4 && (result & 1) != 0));
}

/* The sum of two numbers other than 0; the magnitude of the first must not be the smaller one. */
static BITS summed(BITS a, BITS b)
{
    number larger = opened(a), smaller = opened(b);
    BITS   sum    = larger.significand << 3;
    BITS   other  = lowered(smaller.significand << 3, larger.exponent - smaller.exponent);
    if (((a ^ b) & SIGN) == 0) {
        sum += other;
    } else {
        sum -= other;
    }
    if (sum == 0) {
        return 0;
    }
    if (sum >= LEADING << 1) {
        sum = lowered(sum, 1);
        larger.exponent++;
    }
    while (sum < LEADING) {
        sum <<= 1;
        larger.exponent--;
    }
    return rounded(a & SIGN, larger.exponent, sum);
}

static BITS added(BITS a, BITS b)
{
    if (is_nan(a) || is_nan(b)) {
        return (is_nan(a) ? a : b) | QUIET;
    }
    if (size_of(a) < size_of(b)) {
        BITS first = a;
        a          = b;
        b          = first;
    }
    if (size_of(a) == INFINITE) {
        return size_of(b) == INFINITE && a != b ? INFINITE | QUIET : a;
    }
    if (size_of(b) == 0) {
        return size_of(a) == 0 ? a & b : a;
    }
    return summed(a, b);
}

FLOAT FUNCTION(__add, 3)(FLOAT a, FLOAT b)
{
    return value_of(added(bits_of(a), bits_of(b)));
}

FLOAT FUNCTION(__sub, 3)(FLOAT a, FLOAT b)
{
    /* A NaN stays unchanged, with its sign. */
    BITS other = bits_of(b);
    return value_of(added(bits_of(a), is_nan(other) ? other : other ^ SIGN));
}

FLOAT FUNCTION(__mul, 3)(FLOAT a, FLOAT b)
{
    BITS x = bits_of(a), y = bits_of(b), sign = (x ^ y) & SIGN;
    if (is_nan(x) || is_nan(y)) {
        return value_of((is_nan(x) ? x : y) | QUIET);
    }
    if (size_of(x) == INFINITE || size_of(y) == INFINITE) {
        return value_of(size_of(x) == 0 || size_of(y) == 0 ? INFINITE | QUIET : sign | INFINITE);
    }
    if (size_of(x) == 0 || size_of(y) == 0) {
        return value_of(sign);
    }
    number one = opened(x), other = opened(y);
    BITS   product  = multiply(one.significand << 4, other.significand << (WIDTH - 1 - FRACTION));
    int    exponent = one.exponent + other.exponent - BIAS;
    if (product >= LEADING << 1) {
        product = lowered(product, 1);
        exponent++;
    }
    return value_of(rounded(sign, exponent, product));
}

FLOAT FUNCTION(__div, 3)(FLOAT a, FLOAT b)
{
    BITS x = bits_of(a), y = bits_of(b), sign = (x ^ y) & SIGN;
    if (is_nan(x) || is_nan(y)) {
        return value_of((is_nan(x) ? x : y) | QUIET);
    }
    if (size_of(x) == INFINITE || size_of(y) == 0) {
        return value_of(size_of(x) == size_of(y) ? INFINITE | QUIET : sign | INFINITE);
    }
    if (size_of(x) == 0 || size_of(y) == INFINITE) {
        return value_of(sign);
    }
    number one = opened(x), other = opened(y);
    int    exponent = one.exponent - other.exponent + BIAS;
    if (one.significand < other.significand) {
        one.significand <<= 1;
        exponent--;
    }
    BITS quotient = 0, rest = one.significand;
    for (int bit = 0; bit < FRACTION + 4; bit++) {
        quotient <<= 1;
        if (rest >= other.significand) {
            rest -= other.significand;
            quotient |= 1;
        }
        rest <<= 1;
    }
    return value_of(rounded(sign, exponent, quotient | (rest != 0)));
}

FLOAT FUNCTION(__neg, 2)(FLOAT a)
{
    return value_of(bits_of(a) ^ SIGN);
}

/* Returns -1, 0 or 1; `unordered` if one of the numbers is a NaN. */
static int compared(FLOAT a, FLOAT b, int unordered)
{
    BITS x = bits_of(a), y = bits_of(b);
    if (is_nan(x) || is_nan(y)) {
        return unordered;
    }
    if (x == y || size_of(x | y) == 0) {
        return 0;
    }
    int is_less = (SIGNED)x < (SIGNED)y;
    /* Two negative numbers compare in reverse order. */
    return is_less != ((x & y & SIGN) != 0) ? -1 : 1;
}

int FUNCTION(__eq, 2)(FLOAT a, FLOAT b)
{
    return compared(a, b, 1);
}

int FUNCTION(__ne, 2)(FLOAT a, FLOAT b)
{
    return compared(a, b, 1);
}

int FUNCTION(__lt, 2)(FLOAT a, FLOAT b)
{
    return compared(a, b, 1);
}

int FUNCTION(__le, 2)(FLOAT a, FLOAT b)
{
    return compared(a, b, 1);
}

int FUNCTION(__gt, 2)(FLOAT a, FLOAT b)
{
    return compared(a, b, -1);
}

int FUNCTION(__ge, 2)(FLOAT a, FLOAT b)
{
    return compared(a, b, -1);
}

int FUNCTION(__unord, 2)(FLOAT a, FLOAT b)
{
    return is_nan(bits_of(a)) || is_nan(bits_of(b));
}

/* The magnitude of a number truncated to an integer, saturated at `most`. */
static uint64_t whole(BITS a, uint64_t most)
{
    int exponent = (int)(size_of(a) >> FRACTION) - BIAS;
    if (is_nan(a) || exponent < 0) {
        return 0;
    }
    if (exponent > 63) {
        return most;
    }
    uint64_t significand = (a & (HIDDEN - 1)) | HIDDEN;
    int      up          = exponent - FRACTION;
    uint64_t size        = up < 0 ? significand >> -up : significand << up;
    return size > most ? most : size;
}

static int64_t whole_signed(BITS a, uint64_t most)
{
    int      is_negative = (a & SIGN) != 0;
    uint64_t size        = whole(a, is_negative ? most + 1 : most);
    return (int64_t)(is_negative ? 0 - size : size);
}

int32_t FUNCTION(__fix, si)(FLOAT a)
{
    return (int32_t)whole_signed(bits_of(a), INT32_MAX);
}

uint32_t FUNCTION(__fixuns, si)(FLOAT a)
{
    return (bits_of(a) & SIGN) != 0 ? 0 : (uint32_t)whole(bits_of(a), UINT32_MAX);
}

int64_t FUNCTION(__fix, di)(FLOAT a)
{
    return whole_signed(bits_of(a), INT64_MAX);
}

uint64_t FUNCTION(__fixuns, di)(FLOAT a)
{
    return (bits_of(a) & SIGN) != 0 ? 0 : whole(bits_of(a), UINT64_MAX);
}

/* Converts an integer, given as magnitude and sign, to the nearest number. */
static FLOAT nearest(uint64_t size, int is_negative)
{
    int exponent = BIAS + FRACTION + 3;
    if (size == 0) {
        return value_of(0);
    }
    while (size >= (uint64_t)LEADING << 1) {
        size = size >> 1 | (size & 1);
        exponent++;
    }
    while (size < LEADING) {
        size <<= 1;
        exponent--;
    }
    return value_of(rounded(is_negative ? SIGN : 0, exponent, (BITS)size));
}

FLOAT NAME(__floatsi, MODE, )(int32_t a)
{
    return nearest(a < 0 ? 0u - (uint32_t)a : (uint32_t)a, a < 0);
}

FLOAT NAME(__floatunsi, MODE, )(uint32_t a)
{
    return nearest(a, 0);
}

FLOAT NAME(__floatdi, MODE, )(int64_t a)
{
    return nearest(a < 0 ? 0u - (uint64_t)a : (uint64_t)a, a < 0);
}

FLOAT NAME(__floatundi, MODE, )(uint64_t a)
{
    return nearest(a, 0);
}
