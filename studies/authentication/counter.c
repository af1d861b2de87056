/* AES-128 in counter mode: primitives/ctr over primitives/aes. */

#include "counter.h"

#include "bytes.h"

#define INNER         aes128
#define INNER_HEADER  "aes.h"
#define INNER_CONTEXT AES_KEYS
#define INNER_BLOCK   COUNTER_BYTES
#define OUTER         aes128_ctr
/* Includes the primitive's source, so that its names stay local to this translation unit. */
#include "ctr.c"

void counter_crypt(const uint8_t key[COUNTER_BYTES], const uint8_t first[COUNTER_BYTES], uint8_t *text, size_t size)
{
    AES_KEYS keys;
    uint8_t  block[COUNTER_BYTES];
    for (unsigned i = 0; i < COUNTER_BYTES; i++) {
        block[i] = first[i];
    }
    aes128_expand(&keys, key);
    aes128_ctr_encrypt(&keys, block, text, text, size);
    wipe(&keys, sizeof keys);
}
