/* The compiler's helpers for arithmetic that an instruction set lacks.
 *
 * Names and meanings: "The GCC low-level runtime library", GCC internals manual, chapter 4. */

#ifndef COCRYPT_HELPERS_H
#define COCRYPT_HELPERS_H

#include <stdint.h>

/* What compilers pass as the number of places of a shift. */
#ifdef __RL78__
typedef signed char shift_count;
#else
typedef int shift_count;
#endif

/* The halves of 64 bits: a shift by 32 would be a call on some instruction sets. */
typedef union {
    uint64_t whole;
    struct {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        uint32_t high;
        uint32_t low;
#else
        uint32_t low;
        uint32_t high;
#endif
    } half;
} pair;

uint32_t __mulsi3(uint32_t a, uint32_t b);
uint32_t __udivsi3(uint32_t a, uint32_t b);
uint32_t __umodsi3(uint32_t a, uint32_t b);
int32_t  __divsi3(int32_t a, int32_t b);
int32_t  __modsi3(int32_t a, int32_t b);

uint64_t __ashldi3(uint64_t a, shift_count count);
uint64_t __lshrdi3(uint64_t a, shift_count count);
int64_t  __ashrdi3(int64_t a, shift_count count);
uint64_t __muldi3(uint64_t a, uint64_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);
int64_t  __divdi3(int64_t a, int64_t b);
int64_t  __moddi3(int64_t a, int64_t b);

int      __clzsi2(uint32_t a);
int      __clzdi2(uint64_t a);
int      __ctzsi2(uint32_t a);
int      __ctzdi2(uint64_t a);
int      __popcountsi2(uint32_t a);
int      __popcountdi2(uint64_t a);
uint32_t __bswapsi2(uint32_t a);
uint64_t __bswapdi2(uint64_t a);

#endif
