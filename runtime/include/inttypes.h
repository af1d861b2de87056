/* Format specifiers of the integer types (C11, 7.8.1). */

#ifndef COCRYPT_INTTYPES_H
#define COCRYPT_INTTYPES_H

#include <stdint.h>

#define PRId8  "d"
#define PRIu8  "u"
#define PRIx8  "x"
#define PRIX8  "X"
#define PRId16 "d"
#define PRIu16 "u"
#define PRIx16 "x"
#define PRIX16 "X"

/* int32_t is int, or long in GCC's targets RISC-V and ARM. */
#if (defined(__riscv) || defined(__arm__)) && !defined(__clang__)
#define COCRYPT_32 "l"
#else
#define COCRYPT_32
#endif
#define PRId32 COCRYPT_32 "d"
#define PRIu32 COCRYPT_32 "u"
#define PRIx32 COCRYPT_32 "x"
#define PRIX32 COCRYPT_32 "X"

#if __SIZEOF_LONG__ == 8
#define COCRYPT_64 "l"
#else
#define COCRYPT_64 "ll"
#endif
#define PRId64 COCRYPT_64 "d"
#define PRIu64 COCRYPT_64 "u"
#define PRIx64 COCRYPT_64 "x"
#define PRIX64 COCRYPT_64 "X"

#endif
