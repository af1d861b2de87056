/* The words from which subkeys are computed, and the numbers of words and subkeys (RFC 3713, section 2.2). */

#ifndef CAMELLIA_WORDS_H
#define CAMELLIA_WORDS_H

#include <stdint.h>

/* Words of 128 bits, as four words of 32 bits, highest first. */
#if CAMELLIA_KEY_BYTES == 16
enum { CAMELLIA_KL, CAMELLIA_KA, CAMELLIA_WORDS };
#else
enum { CAMELLIA_KL, CAMELLIA_KR, CAMELLIA_KA, CAMELLIA_KB, CAMELLIA_WORDS };
#endif

enum { CAMELLIA_SUBKEYS = CAMELLIA_KEY_BYTES == 16 ? 26 : 34 };

#endif
