/* AES without tables (FIPS 197): the S-box is computed for each byte, which makes code small and constant-time. */

#include "aes.h"
#include "bytes.h"
#include "wiping.h"

static uint8_t doubled(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (0x1b & -(a >> 7)));
}

/* Multiplication of a byte in GF(2^8) (section 4.2). Returns its stack depth, as the following functions do. */
static NOINLINE uintptr_t multiply(uint8_t *byte, uint8_t b)
{
    uint8_t a = *byte, sum = 0;
    for (unsigned i = 0; i < 8; i++, b >>= 1) {
        sum = (uint8_t)(sum ^ (a & -opaque(b & 1)));
        a   = doubled(a);
    }
    *byte = sum;
    return stack_depth();
}

/* Inversion in GF(2^8), as the power 254, which maps 0 to 0. */
static NOINLINE uintptr_t invert(uint8_t *byte)
{
    uint8_t a = *byte;
    for (unsigned i = 0; i < 6; i++) {
        multiply(byte, *byte);
        multiply(byte, a);
    }
    return no_tail_call(multiply(byte, *byte));
}

static uint8_t left(uint8_t a, unsigned places)
{
    return (uint8_t)(a << places | a >> (8 - places));
}

/* SubBytes of one byte (section 5.1.1). */
static NOINLINE uintptr_t substitute(uint8_t *to, uint8_t a)
{
    *to             = a;
    uintptr_t depth = invert(to);
    uint8_t   b = *to, sum = (uint8_t)(b ^ 0x63);
    for (unsigned i = 0; i < 4; i++) {
        b   = left(b, 1);
        sum = (uint8_t)(sum ^ b);
    }
    *to = sum;
    return no_tail_call(depth);
}

/* The inverse S-box: the inverse of the affine map, which takes three rotations, and the inversion (section 5.3.2). */
static NOINLINE uintptr_t restore(uint8_t *to, uint8_t a)
{
    *to = (uint8_t)(left(a, 1) ^ left(a, 3) ^ left(a, 6) ^ 0x05);
    return no_tail_call(invert(to));
}

static NOINLINE uintptr_t expand(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    uint8_t  *w        = keys->round[0];
    uint8_t   constant = 1;
    uintptr_t depth    = stack_depth();
    for (unsigned i = 0; i < AES_KEY_BYTES; i++) {
        w[i] = key[i];
    }
    for (unsigned i = AES_KEY_BYTES; i < AES_BYTES * (AES_ROUNDS + 1); i++) {
        unsigned at = i % AES_KEY_BYTES;
        w[i]        = w[i - 4];
        if (at < 4) {
            /* RotWord: the last byte of the word takes the first byte of the previous word. */
            depth = substitute(w + i, w[at == 3 ? i - 7 : i - 3]);
            if (at == 0) {
                w[i]     = (uint8_t)(w[i] ^ constant);
                constant = doubled(constant);
            }
        } else if (AES_KEY_BYTES == 32 && at / 4 == 4) {
            depth = substitute(w + i, w[i]);
        }
        w[i] = (uint8_t)(w[i] ^ w[i - AES_KEY_BYTES]);
    }
    return no_tail_call(depth);
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    wipe_below(expand(keys, key));
}

static void add(uint8_t state[AES_BYTES], const uint8_t other[AES_BYTES])
{
    for (unsigned i = 0; i < AES_BYTES; i++) {
        state[i] = (uint8_t)(state[i] ^ other[i]);
    }
}

static NOINLINE uintptr_t mix_columns(uint8_t state[AES_BYTES])
{
    for (uint8_t *column = state; column < state + AES_BYTES; column += 4) {
        uint8_t first = column[0];
        uint8_t all   = (uint8_t)(first ^ column[1] ^ column[2] ^ column[3]);
        for (unsigned i = 0; i < 4; i++) {
            uint8_t next = i < 3 ? column[i + 1] : first;
            column[i]    = (uint8_t)(column[i] ^ all ^ doubled((uint8_t)(column[i] ^ next)));
        }
    }
    return stack_depth();
}

static NOINLINE uintptr_t encrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint8_t   was[AES_BYTES];
    uintptr_t depth = stack_depth();
    for (unsigned i = 0; i < AES_BYTES; i++) {
        result[i] = text[i];
    }
    for (unsigned round = 0;;) {
        add(result, keys->round[round]);
        if (round++ == AES_ROUNDS) {
            break;
        }
        for (unsigned i = 0; i < AES_BYTES; i++) {
            depth = deeper(depth, substitute(was + i, result[i]));
        }
        for (unsigned i = 0; i < AES_BYTES; i++) {
            result[i] = was[5 * i % AES_BYTES];
        }
        if (round < AES_ROUNDS) {
            depth = deeper(depth, mix_columns(result));
        }
    }
    return no_tail_call(depth);
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}

static NOINLINE uintptr_t decrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    uint8_t   was[AES_BYTES];
    uintptr_t depth = stack_depth();
    for (unsigned i = 0; i < AES_BYTES; i++) {
        result[i] = text[i];
    }
    for (unsigned round = AES_ROUNDS;;) {
        add(result, keys->round[round]);
        if (round == 0) {
            break;
        }
        /* MixColumns applied four times is the identity, so three times is InvMixColumns. */
        for (unsigned i = 0; round < AES_ROUNDS && i < 3; i++) {
            depth = deeper(depth, mix_columns(result));
        }
        for (unsigned i = 0; i < AES_BYTES; i++) {
            depth = deeper(depth, restore(was + i, result[i]));
        }
        for (unsigned i = 0; i < AES_BYTES; i++) {
            result[5 * i % AES_BYTES] = was[i];
        }
        round--;
    }
    return no_tail_call(depth);
}

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(decrypt(keys, text, result));
}
