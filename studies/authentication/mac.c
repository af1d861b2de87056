/* HMAC-SHA-1: primitives/hmac over primitives/sha1. */

#include "mac.h"

#define INNER         sha1
#define INNER_HEADER  "sha1.h"
#define INNER_CONTEXT SHA1
#define INNER_BLOCK   SHA1_BLOCK
#define INNER_DIGEST  SHA1_BYTES
#define OUTER         hmac_sha1
/* Includes the primitive's source, so that its names stay local to this translation unit. */
#include "hmac.c"

void mac(const uint8_t key[MAC_BYTES], const PIECE *pieces, size_t count, uint8_t tag[MAC_BYTES])
{
    HMAC state;
    hmac_sha1_init(&state, key, MAC_BYTES);
    for (size_t i = 0; i < count; i++) {
        hmac_sha1_update(&state, pieces[i].bytes, pieces[i].size);
    }
    hmac_sha1_final(&state, tag);
}
