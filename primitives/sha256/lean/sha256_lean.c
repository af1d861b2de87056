/* SHA-256 (FIPS 180-4) in little memory: no copy of the block, and working variables in registers. */

#include "bytes.h"
#include "sha256.h"
#include "wiping.h"

void sha256_init(SHA256 *hash)
{
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        hash->state[i] = sha256_initial[i];
    }
    hash->size = 0;
}

/* The next word of the message schedule, which replaces the one sixteen before it (section 6.2.2, step 1). */
static void schedule(uint32_t w[16], unsigned t)
{
    uint32_t behind = w[(t + 14) % 16], before = w[(t + 1) % 16];
    w[t % 16] += (rotr32(behind, 17) ^ rotr32(behind, 19) ^ behind >> 10) + w[(t + 9) % 16] +
                 (rotr32(before, 7) ^ rotr32(before, 18) ^ before >> 3);
}

/* Returns its stack depth, as the next function does. */
static NOINLINE uintptr_t compress(uint32_t state[SHA256_WORDS], uint32_t w[16])
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned t = 0; t < 64; t++) {
        if (t >= 16) {
            schedule(w, t);
        }
        uint32_t first = h + (rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25)) + (g ^ (e & (f ^ g))) +
                         sha256_constant[t] + w[t % 16];
        uint32_t other = (rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22)) + ((a & b) | (c & (a | b)));
        h              = g;
        g              = f;
        f              = e;
        e              = d + first;
        d              = c;
        c              = b;
        b              = a;
        a              = first + other;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    return stack_depth();
}

/* Shifts a byte into its word; processes the block when it is full. */
static uintptr_t take(SHA256 *hash, uint8_t byte)
{
    unsigned  at   = (unsigned)hash->size++ % SHA256_BLOCK_BYTES;
    uint32_t *word = &hash->w[at / 4];
    *word          = *word << 8 | byte;
    if (at == SHA256_BLOCK_BYTES - 1) {
        return no_tail_call(compress(hash->state, hash->w));
    }
    return stack_depth();
}

void sha256_update(SHA256 *hash, const uint8_t *message, size_t size)
{
    uintptr_t depth = stack_depth();
    while (size-- > 0) {
        depth = deeper(depth, take(hash, *message++));
    }
    wipe_below(depth);
}

void sha256_final(SHA256 *hash, uint8_t digest[SHA256_BYTES])
{
    uint64_t bits = 8 * hash->size;
    take(hash, 0x80);
    while (hash->size % SHA256_BLOCK_BYTES != SHA256_BLOCK_BYTES - 8) {
        take(hash, 0);
    }
    hash->w[14] = (uint32_t)(bits >> 32);
    hash->w[15] = (uint32_t)bits;
    uintptr_t depth = compress(hash->state, hash->w);
    for (unsigned i = 0; i < SHA256_WORDS; i++) {
        store32_be(digest + 4 * i, hash->state[i]);
    }
    wipe(hash, sizeof *hash);
    wipe_below(depth);
}
