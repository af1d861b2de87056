/* LibTomCrypt on a device without a system: no checks of arguments, no files, no self-tests, no heap. */

#ifndef PEER_H
#define PEER_H

#include "hosted.h"

#define LTC_NO_TEST
#define LTC_NO_FILE
#define LTC_NO_MATH
#define LTC_NO_PROTOTYPES
#define LTC_NOTHING
#define ARGTYPE 3

#define LTC_RIJNDAEL
#define LTC_CHACHA
#define LTC_SHA256
#define LTC_SHA512
#define LTC_SHA3
#define LTC_POLY1305
#define LTC_CHACHA20POLY1305_MODE

#endif
