/* The quarter round of ChaCha20 (RFC 8439, section 2.1) for cores such as ARM's that rotate an operand in the same
 * instruction: words are rotated where they are next used, so that no instruction only rotates. */

#define QUARTER_ROUND(a, b, c, d)                                                                      \
    do {                                                                                               \
        (a) += rotl32(b, 7), (d) = rotl32(d, 8) ^ (a);                                                 \
        (c) += rotl32(d, 16), (b) = rotl32(b, 7) ^ (c);                                                \
        (a) += rotl32(b, 12), (d) = rotl32(d, 16) ^ (a);                                               \
        (c) += rotl32(d, 8), (b) = rotl32(b, 12) ^ (c);                                                \
    } while (0)

enum { SECOND_WAITS = 7, FOURTH_WAITS = 8 };

#include "chacha20_rounds.h"
