/* SHA-512 and SHA-384 (FIPS 180-4). SHA512_BYTES, the size of the digest, selects one of them. */

#ifndef SHA512_H
#define SHA512_H

#include <stddef.h>
#include <stdint.h>

#ifndef SHA512_BYTES
#define SHA512_BYTES 64
#endif

#if SHA512_BYTES == 48
#define SHA512_NAME(part) sha384_##part
#else
#define SHA512_NAME(part) sha512_##part
#endif

enum { SHA512_BLOCK_BYTES = 128, SHA512_STATE = 8, SHA512_BLOCK = 16, SHA512_ROUNDS = 80 };

typedef struct {
    uint64_t words[SHA512_STATE + SHA512_BLOCK]; /* the state, then the incomplete block */
    uint64_t size;                               /* bytes so far; a message has less than 2^61 */
} SHA512;

void SHA512_NAME(init)(SHA512 *hash);
void SHA512_NAME(update)(SHA512 *hash, const uint8_t *message, size_t size);
void SHA512_NAME(final)(SHA512 *hash, uint8_t digest[SHA512_BYTES]);

#endif
