/* Encryption of a block with one table of 1 KiB and the S-box (FIPS 197, section 5.1). One round per loop iteration, so
 * that code and tables fit into caches. The addresses of table look-ups depend on the key, and with a data cache so
 * does the time; `sliced` avoids this. */

#include "aes_block.h"
#include "aes_tables.h"
#include "wiping.h"

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t encrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    const uint32_t *key = keys->w, *last = key + 4 * AES_ROUNDS;
    AES_BLOCK       x   = aes_load(text), y;
    x.a ^= key[0], x.b ^= key[1], x.c ^= key[2], x.d ^= key[3];
    for (key += 4; key < last; key += 4) {
        y.a = aes_column(AES(forward), x.a, x.b, x.c, x.d);
        y.b = aes_column(AES(forward), x.b, x.c, x.d, x.a);
        y.c = aes_column(AES(forward), x.c, x.d, x.a, x.b);
        y.d = aes_column(AES(forward), x.d, x.a, x.b, x.c);
        x.a = y.a ^ key[0], x.b = y.b ^ key[1], x.c = y.c ^ key[2], x.d = y.d ^ key[3];
    }
    y.a = aes_looked_up(AES(sbox), x.a, x.b, x.c, x.d) ^ key[0];
    y.b = aes_looked_up(AES(sbox), x.b, x.c, x.d, x.a) ^ key[1];
    y.c = aes_looked_up(AES(sbox), x.c, x.d, x.a, x.b) ^ key[2];
    y.d = aes_looked_up(AES(sbox), x.d, x.a, x.b, x.c) ^ key[3];
    aes_store(result, y);
    return stack_depth();
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}
