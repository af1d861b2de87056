/* SHA-1 (FIPS 180-4, section 6.1), with an incremental interface. */

#ifndef SHA1_H
#define SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { SHA1_BYTES = 20, SHA1_BLOCK = 64 };

typedef struct {
    uint32_t h[5];
    uint64_t length; /* bytes so far */
    uint8_t  block[SHA1_BLOCK];
} SHA1;

void sha1_init(SHA1 *state);
void sha1_update(SHA1 *state, const uint8_t *message, size_t size);
void sha1_final(SHA1 *state, uint8_t digest[SHA1_BYTES]); /* wipes the state */

#endif
