/* SHA-1 (FIPS 180-4, section 6.1), fast: padding and blocks; whole blocks are processed without a copy. */

#include "sha1_compress.h"

#include "bytes.h"
#include "wiping.h"

void sha1_init(SHA1 *state)
{
    state->h[0]   = 0x67452301;
    state->h[1]   = 0xefcdab89;
    state->h[2]   = 0x98badcfe;
    state->h[3]   = 0x10325476;
    state->h[4]   = 0xc3d2e1f0;
    state->length = 0;
}

/* Copies bytes into the block from `at` on; returns the number of bytes copied. */
static size_t fill(SHA1 *state, size_t at, const uint8_t *message, size_t size)
{
    size_t   used = size < SHA1_BLOCK - at ? size : SHA1_BLOCK - at;
    uint8_t *to   = state->block + at;
    for (const uint8_t *end = message + used; message < end;) {
        *to++ = *message++;
    }
    return used;
}

void sha1_update(SHA1 *state, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    size_t at = state->length % SHA1_BLOCK;
    state->length += size;
    if (at > 0) {
        size_t used = fill(state, at, message, size);
        if (at + used == SHA1_BLOCK) {
            depth = sha1_compress(state->h, state->block);
        }
        message += used;
        size -= used;
    }
    for (; size >= SHA1_BLOCK; size -= SHA1_BLOCK) {
        depth = sha1_compress(state->h, message);
        message += SHA1_BLOCK;
    }
    fill(state, 0, message, size);
    wipe_below(depth);
}

typedef uint32_t __attribute__((may_alias)) WORD;

/* Clears memory from `from` to `end`, which is word-aligned, even if nothing reads it afterwards. */
static void clear(void *from, const void *end)
{
    volatile uint8_t *byte = from;
    while ((uintptr_t)byte % sizeof(WORD) != 0) {
        *byte++ = 0;
    }
    for (volatile WORD *word = (volatile WORD *)(volatile void *)byte; word != end;) {
        *word++ = 0;
    }
}

void sha1_final(SHA1 *state, uint8_t digest[SHA1_BYTES])
{
    uintptr_t depth = stack_depth();
    size_t at          = state->length % SHA1_BLOCK;
    state->block[at++] = 0x80;
    if (at > SHA1_BLOCK - 8) {
        clear(state->block + at, state->block + SHA1_BLOCK);
        depth = sha1_compress(state->h, state->block);
        at = 0;
    }
    clear(state->block + at, state->block + SHA1_BLOCK - 8);
    store64_be(state->block + SHA1_BLOCK - 8, 8 * state->length);
    depth = sha1_compress(state->h, state->block);
    for (unsigned i = 0; i < 5; i++) {
        store32_be(digest + 4 * i, state->h[i]);
    }
    clear(state, state + 1);
    wipe_below(depth);
}
