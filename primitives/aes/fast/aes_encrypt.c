/* Encryption of a block by four tables (FIPS 197, section 5.1). Its accesses to them depend on the key: it is
 * not for devices with a data cache. */

#include "aes_tables.h"
#include "bytes.h"

#define COLUMN(a, b, c, d, key)                                                                       \
    (table[0][AES_BYTE(a, 0)] ^ table[1][AES_BYTE(b, 1)] ^ table[2][AES_BYTE(c, 2)] ^ table[3][(d) >> 24] ^ \
     (key))
#define LAST(a, b, c, d, key)                                                                         \
    (((uint32_t)sbox[AES_BYTE(a, 0)] | (uint32_t)sbox[AES_BYTE(b, 1)] << 8 |                          \
      (uint32_t)sbox[AES_BYTE(c, 2)] << 16 | (uint32_t)sbox[(d) >> 24] << 24) ^                       \
     (key))

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    const uint32_t(*const table)[256] = AES(forward);
    const uint8_t  *sbox               = AES(sbox);
    const uint32_t *key                = keys->w;
    uint32_t        a                  = load32_le(text) ^ key[0];
    uint32_t        b                  = load32_le(text + 4) ^ key[1];
    uint32_t        c                  = load32_le(text + 8) ^ key[2];
    uint32_t        d                  = load32_le(text + 12) ^ key[3];
    uint32_t        p, q, r, s;
    /* Two rounds at a time, so that columns need not be moved. */
    for (unsigned round = AES_ROUNDS / 2;;) {
        p = COLUMN(a, b, c, d, key[4]);
        q = COLUMN(b, c, d, a, key[5]);
        r = COLUMN(c, d, a, b, key[6]);
        s = COLUMN(d, a, b, c, key[7]);
        key += 8;
        if (--round == 0) {
            break;
        }
        a = COLUMN(p, q, r, s, key[0]);
        b = COLUMN(q, r, s, p, key[1]);
        c = COLUMN(r, s, p, q, key[2]);
        d = COLUMN(s, p, q, r, key[3]);
    }
    store32_le(result, LAST(p, q, r, s, key[0]));
    store32_le(result + 4, LAST(q, r, s, p, key[1]));
    store32_le(result + 8, LAST(r, s, p, q, key[2]));
    store32_le(result + 12, LAST(s, p, q, r, key[3]));
}
