/* Ed25519 in little code (RFC 8032, section 5.1). */

#include "ed25519.h"

#include "point25519.h"
#include "sha512.h"
#include "wiping.h"

enum { DIGEST_BYTES = 64, DIGEST_WORDS = 16, HALF = DIGEST_BYTES / 2 };

/* All intermediate values, which are wiped together. */
typedef struct {
    FIELD    registers[REGISTERS];
    POINT    points[2]; /* the base point, and the public key's point */
    SCALAR   scalars[2];
    SCALAR   secret;
    SHA512   hash;
    uint8_t  digest[DIGEST_BYTES];
    uint32_t words[DIGEST_WORDS];
} WORK;

/* Decodes the base point, which has y = 4 / 5 and an even x. */
static void start(WORK *work)
{
    for (unsigned i = 0; i < HALF; i++) {
        work->digest[i] = 0x66;
    }
    work->digest[0] = 0x58;
    point_start(work->registers);
    (void)point_decode(work->registers, work->points[0], work->digest, 0);
}

/* The digest of up to two parts of 32 bytes, the first of which may be NULL, and a message. */
static void digest(WORK *work, const uint8_t *first, const uint8_t *second, const uint8_t *message,
                   size_t size)
{
    sha512_init(&work->hash);
    if (first != NULL) {
        sha512_update(&work->hash, first, HALF);
    }
    sha512_update(&work->hash, second, HALF);
    sha512_update(&work->hash, message, size);
    sha512_final(&work->hash, work->digest);
    field_load(work->words, work->digest);
    field_load(work->words + FIELD_WORDS, work->digest + HALF);
}

/* The same digest, modulo L. */
static void hash_to_scalar(WORK *work, SCALAR scalar, const uint8_t *first, const uint8_t *second,
                           const uint8_t *message, size_t size)
{
    digest(work, first, second, message, size);
    scalar_multiply(scalar, work->words, DIGEST_WORDS, work->registers[ONE]);
}

/* Returns its stack depth, the maximum of all functions. */
static NOINLINE uintptr_t multiply(WORK *work, uint8_t *bytes, unsigned number)
{
    return no_tail_call(point_multiply(work->registers, bytes, (const SCALAR *)work->scalars,
                                       (const POINT *)work->points, number));
}

/* Computes the secret scalar, which is below 2^255, its public key, and the digest whose second half is the prefix for
 * the nonce. Returns its stack depth. */
static NOINLINE uintptr_t expand(WORK *work, const uint8_t *secret, uint8_t *public)
{
    start(work);
    digest(work, NULL, secret, secret, 0);
    work->words[0] &= 0xfffffff8;
    work->words[SCALAR_WORDS - 1] &= 0x3fffffff;
    work->words[SCALAR_WORDS - 1] |= 0x40000000;
    for (unsigned i = 0; i < SCALAR_WORDS; i++) {
        work->secret[i] = work->scalars[0][i] = work->words[i];
    }
    return no_tail_call(multiply(work, public, 1));
}

void ed25519_public(const uint8_t secret[ED25519_SECRET_BYTES], uint8_t public[ED25519_PUBLIC_BYTES])
{
    WORK      work;
    uintptr_t depth = expand(&work, secret, public);
    wipe(&work, sizeof work);
    wipe_below(depth);
}

void ed25519_sign(const uint8_t secret[ED25519_SECRET_BYTES], const uint8_t *message, size_t size,
                  uint8_t signature[ED25519_SIGNATURE_BYTES])
{
    WORK    work;
    uint8_t public[ED25519_PUBLIC_BYTES];
    uintptr_t depth = expand(&work, secret, public);
    hash_to_scalar(&work, work.scalars[0], NULL, work.digest + HALF, message, size);
    multiply(&work, signature, 1);
    hash_to_scalar(&work, work.scalars[1], signature, public, message, size);
    scalar_multiply(work.words, work.secret, SCALAR_WORDS, work.scalars[1]);
    scalar_add(work.words, work.scalars[0]);
    field_store(signature + HALF, work.words);
    wipe(&work, sizeof work);
    wipe_below(depth);
}

int ed25519_verify(const uint8_t public[ED25519_PUBLIC_BYTES], const uint8_t *message, size_t size,
                   const uint8_t signature[ED25519_SIGNATURE_BYTES])
{
    WORK work;
    start(&work);
    field_load(work.scalars[0], signature + HALF);
    if (!scalar_is_reduced(work.scalars[0]) || point_decode(work.registers, work.points[1], public, 1) != 0) {
        return -1;
    }
    hash_to_scalar(&work, work.scalars[1], signature, public, message, size);
    multiply(&work, work.digest, 2);
    return point_differ(work.digest, signature) == 0 ? 0 : -1;
}
