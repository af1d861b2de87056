/* Decryption of a block with tables of words (FIPS 197, section 5.3.5). */

#include "aes_block.h"
#include "aes_sbox.h"
#include "wiping.h"
#include <aes_tables.h>

#define BYTE(s) s
static const uint8_t inverse[256] = {AES_INVERSE_SBOX(BYTE)};

#define COLUMN(a, b, c, d, key) (aes_column(AES(backward), a, b, c, d) ^ (key))
#define LAST(a, b, c, d, key) (aes_looked_up(inverse, a, b, c, d) ^ (key))

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    const uint32_t *key = keys->w + 4 * AES_ROUNDS;
    AES_BLOCK       x   = aes_load(text), y;
    x.a ^= key[0], x.b ^= key[1], x.c ^= key[2], x.d ^= key[3];
    /* Two rounds per iteration, so that no column is moved; the last two rounds follow the loop. */
    for (key -= 8; key > keys->w; key -= 8) {
        y.a = COLUMN(x.a, x.d, x.c, x.b, key[4]);
        y.b = COLUMN(x.b, x.a, x.d, x.c, key[5]);
        y.c = COLUMN(x.c, x.b, x.a, x.d, key[6]);
        y.d = COLUMN(x.d, x.c, x.b, x.a, key[7]);
        x.a = COLUMN(y.a, y.d, y.c, y.b, key[0]);
        x.b = COLUMN(y.b, y.a, y.d, y.c, key[1]);
        x.c = COLUMN(y.c, y.b, y.a, y.d, key[2]);
        x.d = COLUMN(y.d, y.c, y.b, y.a, key[3]);
    }
    y.a = COLUMN(x.a, x.d, x.c, x.b, key[4]);
    y.b = COLUMN(x.b, x.a, x.d, x.c, key[5]);
    y.c = COLUMN(x.c, x.b, x.a, x.d, key[6]);
    y.d = COLUMN(x.d, x.c, x.b, x.a, key[7]);
    x.a = LAST(y.a, y.d, y.c, y.b, key[0]);
    x.b = LAST(y.b, y.a, y.d, y.c, key[1]);
    x.c = LAST(y.c, y.b, y.a, y.d, key[2]);
    x.d = LAST(y.d, y.c, y.b, y.a, key[3]);
    aes_store(result, x);
    return stack_depth();
}

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(decrypt(keys, text, result));
}
