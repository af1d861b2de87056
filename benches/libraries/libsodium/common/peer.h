/* What libsodium's set-up script finds out of a system, for a device without one. */

#ifndef PEER_H
#define PEER_H

#include "hosted.h"

#define CONFIGURED 1
#define NATIVE_LITTLE_ENDIAN
#define SODIUM_STATIC

#endif
