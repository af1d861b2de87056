/* Decryption of a block with one table of 1 KiB and the inverse S-box (FIPS 197, section 5.3.5). */

#include "aes_block.h"
#include "aes_sbox.h"
#include "aes_tables.h"
#include "wiping.h"

#define BYTE(s) s
static const uint8_t inverse[256] = {AES_INVERSE_SBOX(BYTE)};

/* Returns its stack depth: on ARM the compiler spills to the stack. */
static NOINLINE uintptr_t decrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    const uint32_t *key = keys->w + 4 * AES_ROUNDS;
    AES_BLOCK       x   = aes_load(text), y;
    x.a ^= key[0], x.b ^= key[1], x.c ^= key[2], x.d ^= key[3];
    for (key -= 4; key > keys->w; key -= 4) {
        y.a = aes_column(AES(backward), x.a, x.d, x.c, x.b);
        y.b = aes_column(AES(backward), x.b, x.a, x.d, x.c);
        y.c = aes_column(AES(backward), x.c, x.b, x.a, x.d);
        y.d = aes_column(AES(backward), x.d, x.c, x.b, x.a);
        x.a = y.a ^ key[0], x.b = y.b ^ key[1], x.c = y.c ^ key[2], x.d = y.d ^ key[3];
    }
    y.a = aes_looked_up(inverse, x.a, x.d, x.c, x.b) ^ key[0];
    y.b = aes_looked_up(inverse, x.b, x.a, x.d, x.c) ^ key[1];
    y.c = aes_looked_up(inverse, x.c, x.b, x.a, x.d) ^ key[2];
    y.d = aes_looked_up(inverse, x.d, x.c, x.b, x.a) ^ key[3];
    aes_store(result, y);
    return stack_depth();
}

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(decrypt(keys, text, result));
}
