/* The columns of a round with tables, each from bytes of eight columns (sections 3.4.2 to 3.4.4 of the paper). The
 * including file defines `to` and `from`, and FINISH(column, low, high), which adds round constants. */

#ifndef COLUMNS_H
#define COLUMNS_H

#include "tables.h"

/* The index in memory of byte `byte` of a little-endian word array. */
static inline unsigned place(unsigned byte)
{
    const uint32_t one = 1;
    return *(const uint8_t *)&one ? byte : byte ^ 3;
}

/* Adds the contribution of the byte in a row, `shift` columns further. */
#define ADD(column, row, shift)                                                                         \
    do {                                                                                                \
        unsigned        at    = (8 * ((column) + (shift)) + (row)) % GROESTL_BLOCK;                       \
        const uint32_t *added = GROESTL_NAME(table)[(row) % 4][((const uint8_t *)from)[place(at)]];       \
        low ^= added[(row) / 4];                                                                          \
        high ^= added[1 - (row) / 4];                                                                     \
    } while (0)

#define COLUMN(column, s0, s1, s2, s3, s4, s5, s6, s7)                                                  \
    do {                                                                                                \
        uint32_t low = 0, high = 0;                                                                     \
        ADD(column, 0, s0);                                                                             \
        ADD(column, 1, s1);                                                                             \
        ADD(column, 2, s2);                                                                             \
        ADD(column, 3, s3);                                                                             \
        ADD(column, 4, s4);                                                                             \
        ADD(column, 5, s5);                                                                             \
        ADD(column, 6, s6);                                                                             \
        ADD(column, 7, s7);                                                                             \
        FINISH(column, low, high);                                                                      \
    } while (0)

/* Eight columns; the arguments are the rotations of the rows. */
#define EIGHT_COLUMNS(first, ...)                                                                       \
    do {                                                                                                \
        COLUMN((first) + 0, __VA_ARGS__);                                                               \
        COLUMN((first) + 1, __VA_ARGS__);                                                               \
        COLUMN((first) + 2, __VA_ARGS__);                                                               \
        COLUMN((first) + 3, __VA_ARGS__);                                                               \
        COLUMN((first) + 4, __VA_ARGS__);                                                               \
        COLUMN((first) + 5, __VA_ARGS__);                                                               \
        COLUMN((first) + 6, __VA_ARGS__);                                                               \
        COLUMN((first) + 7, __VA_ARGS__);                                                               \
    } while (0)
#if GROESTL_BYTES == 32
#define ALL_COLUMNS(...) EIGHT_COLUMNS(0, __VA_ARGS__)
#else
#define ALL_COLUMNS(...)                                                                                \
    do {                                                                                                \
        EIGHT_COLUMNS(0, __VA_ARGS__);                                                                  \
        EIGHT_COLUMNS(8, __VA_ARGS__);                                                                  \
    } while (0)
#endif

#endif
