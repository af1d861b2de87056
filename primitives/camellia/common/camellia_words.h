/* The words that subkeys are made of, and how many of both there are (RFC 3713, section 2.2). */

#ifndef CAMELLIA_WORDS_H
#define CAMELLIA_WORDS_H

#include <stdint.h>

/* Words of 128 bits, highest part first. */
#if CAMELLIA_KEY_BYTES == 16
enum { CAMELLIA_KL, CAMELLIA_KA, CAMELLIA_WORDS };
#else
enum { CAMELLIA_KL, CAMELLIA_KR, CAMELLIA_KA, CAMELLIA_KB, CAMELLIA_WORDS };
#endif

enum { CAMELLIA_SUBKEYS = CAMELLIA_KEY_BYTES == 16 ? 26 : 34 };

#endif
