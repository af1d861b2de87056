/* The quarter round of ChaCha20 as in the standard (RFC 8439, section 2.1). */

#define QUARTER_ROUND(a, b, c, d)                                                                      \
    do {                                                                                               \
        (a) += (b), (d) = rotl32((d) ^ (a), 16);                                                       \
        (c) += (d), (b) = rotl32((b) ^ (c), 12);                                                       \
        (a) += (b), (d) = rotl32((d) ^ (a), 8);                                                        \
        (c) += (d), (b) = rotl32((b) ^ (c), 7);                                                        \
    } while (0)

enum { SECOND_WAITS = 0, FOURTH_WAITS = 0 };

#include "chacha20_rounds.h"
