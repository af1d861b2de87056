/* Keccak (submission to SHA-3, version 3) and SHA-3 (FIPS 202). KECCAK_BYTES, the size of the digest, and
 * KECCAK_PADDING, the domain separation and padding, select the member. */

#ifndef KECCAK_H
#define KECCAK_H

#include <stddef.h>
#include <stdint.h>

#ifndef KECCAK_BYTES
#define KECCAK_BYTES 32
#endif
#ifndef KECCAK_PADDING
#define KECCAK_PADDING 0x01
#endif

#if KECCAK_PADDING == 0x06 && KECCAK_BYTES == 32
#define KECCAK_NAME(part) sha3_256_##part
#elif KECCAK_PADDING == 0x06
#define KECCAK_NAME(part) sha3_512_##part
#elif KECCAK_BYTES == 32
#define KECCAK_NAME(part) keccak256_##part
#else
#define KECCAK_NAME(part) keccak512_##part
#endif

/* Lanes of 64 bits; the rate is 200 bytes minus the capacity, which is twice the digest. */
enum { KECCAK_LANES = 25, KECCAK_ROUNDS = 24, KECCAK_RATE = 200 - 2 * KECCAK_BYTES };

typedef struct {
    uint32_t words[2 * KECCAK_LANES]; /* lower half of a lane first */
    uint32_t at;                      /* bytes of the block absorbed so far */
} KECCAK;

void KECCAK_NAME(init)(KECCAK *hash);
void KECCAK_NAME(update)(KECCAK *hash, const uint8_t *message, size_t size);
void KECCAK_NAME(final)(KECCAK *hash, uint8_t digest[KECCAK_BYTES]);

#endif
