/* Encryption of a block with tables of words (FIPS 197, section 5.1). The addresses of its look-ups depend on the key:
 * do not use it on devices with a data cache. */

#include "aes_block.h"
#include "wiping.h"
#include <aes_tables.h>

#define COLUMN(a, b, c, d, key) (aes_column(AES(forward), a, b, c, d) ^ (key))
#define LAST(a, b, c, d, key) (aes_looked_up(AES(sbox), a, b, c, d) ^ (key))

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    const uint32_t *key = keys->w;
    AES_BLOCK       x   = aes_load(text), y;
    x.a ^= key[0], x.b ^= key[1], x.c ^= key[2], x.d ^= key[3];
    /* Two rounds per iteration, so that no column is moved; the last two rounds follow the loop. With this order of the
     * columns, compilers keep the most values in registers where there are few. */
    for (const uint32_t *end = key + 4 * (AES_ROUNDS - 2); key < end; key += 8) {
        y.a = COLUMN(x.a, x.b, x.c, x.d, key[4]);
        y.d = COLUMN(x.d, x.a, x.b, x.c, key[7]);
        y.c = COLUMN(x.c, x.d, x.a, x.b, key[6]);
        y.b = COLUMN(x.b, x.c, x.d, x.a, key[5]);
        x.a = COLUMN(y.a, y.b, y.c, y.d, key[8]);
        x.d = COLUMN(y.d, y.a, y.b, y.c, key[11]);
        x.c = COLUMN(y.c, y.d, y.a, y.b, key[10]);
        x.b = COLUMN(y.b, y.c, y.d, y.a, key[9]);
    }
    y.a = COLUMN(x.a, x.b, x.c, x.d, key[4]);
    y.d = COLUMN(x.d, x.a, x.b, x.c, key[7]);
    y.c = COLUMN(x.c, x.d, x.a, x.b, key[6]);
    y.b = COLUMN(x.b, x.c, x.d, x.a, key[5]);
    x.a = LAST(y.a, y.b, y.c, y.d, key[8]);
    x.d = LAST(y.d, y.a, y.b, y.c, key[11]);
    x.c = LAST(y.c, y.d, y.a, y.b, key[10]);
    x.b = LAST(y.b, y.c, y.d, y.a, key[9]);
    aes_store(result, x);
    return stack_depth();
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}
