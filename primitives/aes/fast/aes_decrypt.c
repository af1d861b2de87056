/* Decryption of a block by four tables (FIPS 197, section 5.3.5). */

#include "aes_sbox.h"
#include "aes_tables.h"
#include "bytes.h"

#define BYTE(s) s
static const uint8_t inverse[256] = {AES_INVERSE_SBOX(BYTE)};

#define COLUMN(a, b, c, d, key)                                                                       \
    (table[0][AES_BYTE(a, 0)] ^ table[1][AES_BYTE(b, 1)] ^ table[2][AES_BYTE(c, 2)] ^ table[3][(d) >> 24] ^ \
     (key))
#define LAST(a, b, c, d, key)                                                                         \
    (((uint32_t)inverse[AES_BYTE(a, 0)] | (uint32_t)inverse[AES_BYTE(b, 1)] << 8 |                    \
      (uint32_t)inverse[AES_BYTE(c, 2)] << 16 | (uint32_t)inverse[(d) >> 24] << 24) ^                 \
     (key))

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    const uint32_t(*const table)[256] = AES(backward);
    const uint32_t *key                = keys->w + 4 * AES_ROUNDS;
    uint32_t        a                  = load32_le(text) ^ key[0];
    uint32_t        b                  = load32_le(text + 4) ^ key[1];
    uint32_t        c                  = load32_le(text + 8) ^ key[2];
    uint32_t        d                  = load32_le(text + 12) ^ key[3];
    uint32_t        p, q, r, s;
    for (unsigned round = AES_ROUNDS / 2;;) {
        key -= 8;
        p = COLUMN(a, d, c, b, key[4]);
        q = COLUMN(b, a, d, c, key[5]);
        r = COLUMN(c, b, a, d, key[6]);
        s = COLUMN(d, c, b, a, key[7]);
        if (--round == 0) {
            break;
        }
        a = COLUMN(p, s, r, q, key[0]);
        b = COLUMN(q, p, s, r, key[1]);
        c = COLUMN(r, q, p, s, key[2]);
        d = COLUMN(s, r, q, p, key[3]);
    }
    store32_le(result, LAST(p, s, r, q, key[0]));
    store32_le(result + 4, LAST(q, p, s, r, key[1]));
    store32_le(result + 8, LAST(r, q, p, s, key[2]));
    store32_le(result + 12, LAST(s, r, q, p, key[3]));
}
