/* Eight rounds of Threefish in which the word permutation only renames variables (section 3.3 and table 4 of the
 * paper). The including file defines words x0 to x3, or x7, and ADD_KEY(), which adds the next subkey. */

#ifndef ROUNDS_H
#define ROUNDS_H

#define MIX(a, b, places)                                                                               \
    do {                                                                                                \
        (a) += (b);                                                                                     \
        (b) = rotl64(b, places) ^ (a);                                                                  \
    } while (0)

#if SKEIN_BYTES == 32

#define TWO_ROUNDS(p, q, r, s)                                                                          \
    do {                                                                                                \
        MIX(x0, x1, p);                                                                                 \
        MIX(x2, x3, q);                                                                                 \
        MIX(x0, x3, r);                                                                                 \
        MIX(x2, x1, s);                                                                                 \
    } while (0)

#define EIGHT_ROUNDS()                                                                                  \
    do {                                                                                                \
        ADD_KEY();                                                                                      \
        TWO_ROUNDS(14, 16, 52, 57);                                                                     \
        TWO_ROUNDS(23, 40, 5, 37);                                                                      \
        ADD_KEY();                                                                                      \
        TWO_ROUNDS(25, 33, 46, 12);                                                                     \
        TWO_ROUNDS(58, 22, 32, 32);                                                                     \
    } while (0)

#else

#define ROUND(a, b, p, c, d, q, e, f, r, g, h, s)                                                       \
    do {                                                                                                \
        MIX(a, b, p);                                                                                   \
        MIX(c, d, q);                                                                                   \
        MIX(e, f, r);                                                                                   \
        MIX(g, h, s);                                                                                   \
    } while (0)

#define EIGHT_ROUNDS()                                                                                  \
    do {                                                                                                \
        ADD_KEY();                                                                                      \
        ROUND(x0, x1, 46, x2, x3, 36, x4, x5, 19, x6, x7, 37);                                          \
        ROUND(x2, x1, 33, x4, x7, 27, x6, x5, 14, x0, x3, 42);                                          \
        ROUND(x4, x1, 17, x6, x3, 49, x0, x5, 36, x2, x7, 39);                                          \
        ROUND(x6, x1, 44, x0, x7, 9, x2, x5, 54, x4, x3, 56);                                           \
        ADD_KEY();                                                                                      \
        ROUND(x0, x1, 39, x2, x3, 30, x4, x5, 34, x6, x7, 24);                                          \
        ROUND(x2, x1, 13, x4, x7, 50, x6, x5, 10, x0, x3, 17);                                          \
        ROUND(x4, x1, 25, x6, x3, 29, x0, x5, 39, x2, x7, 43);                                          \
        ROUND(x6, x1, 8, x0, x7, 35, x2, x5, 56, x4, x3, 22);                                           \
    } while (0)

#endif

#endif
