/* Counter with CBC-MAC (NIST SP 800-38C). The formatting is that of its appendix A. */

#include "ccm.h"

#include "bytes.h"
#include "wiping.h"

enum { BLOCK = INNER_BLOCK };

/* State of both directions: round keys, CBC-MAC block, counter block, and the number of bytes in the current block. */
typedef struct {
    INNER_CONTEXT keys;
    uint8_t       chain[BLOCK];
    uint8_t       counter[BLOCK];
    unsigned      filled;
} CCM;

/* Adds bytes to the CBC-MAC; a full block is encrypted. */
static void take(CCM *ccm, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ccm->chain[ccm->filled] = (uint8_t)(ccm->chain[ccm->filled] ^ bytes[i]);
        if (++ccm->filled == BLOCK) {
            INNER_(encrypt)(&ccm->keys, ccm->chain, ccm->chain);
            ccm->filled = 0;
        }
    }
}

/* Pads the block with zeros. */
static void pad(CCM *ccm)
{
    if (ccm->filled > 0) {
        INNER_(encrypt)(&ccm->keys, ccm->chain, ccm->chain);
        ccm->filled = 0;
    }
}

/* Writes a number, highest byte first, to a block from byte `from` to its end. */
static void put(uint8_t block[BLOCK], unsigned from, uint64_t number)
{
    for (unsigned i = BLOCK; i-- > from;) {
        block[i] = (uint8_t)number;
        number >>= 8;
    }
}

/* Adds the encoded length of the associated data, and the data, to the CBC-MAC (A.2.2). */
static void take_associated(CCM *ccm, const uint8_t *ad, size_t size)
{
    uint8_t  length[10] = {0xff, size >> 16 >> 16 ? 0xff : 0xfe};
    unsigned from       = size < 0xff00 ? 0 : 2;
    unsigned bytes      = size < 0xff00 ? 2 : length[1] == 0xff ? 8 : 4;
    for (unsigned i = 0; i < bytes; i++) {
        length[from + i] = (uint8_t)((uint64_t)size >> 8 * (bytes - 1 - i));
    }
    take(ccm, length, from + bytes);
    take(ccm, ad, size);
    pad(ccm);
}

/* Forms B0 and the counter block 0 (A.2.1, A.3); returns -1 for invalid sizes. */
static int begin(CCM *ccm, const uint8_t *key, const uint8_t *nonce, const size_t sizes[4])
{
    size_t nonce_size = sizes[0], ad_size = sizes[1], text_size = sizes[2], tag_size = sizes[3];
    if (nonce_size < 7 || nonce_size > 13 || tag_size < 4 || tag_size > BLOCK || tag_size % 2 != 0) {
        return -1;
    }
    unsigned width = (unsigned)(BLOCK - 1 - nonce_size);
    if (width < 8 && (uint64_t)text_size >> 8 * width != 0) {
        return -1;
    }
    INNER_(expand)(&ccm->keys, key);
    for (unsigned i = 0; i < BLOCK; i++) {
        uint8_t of_nonce = i > 0 && i <= nonce_size ? nonce[i - 1] : 0;
        ccm->chain[i]    = of_nonce;
        ccm->counter[i]  = of_nonce;
    }
    ccm->counter[0] = (uint8_t)(width - 1);
    ccm->chain[0]   = (uint8_t)((ad_size > 0 ? 0x40 : 0) | (tag_size - 2) / 2 << 3 | (width - 1));
    put(ccm->chain, BLOCK - width, text_size);
    ccm->filled = BLOCK;
    pad(ccm);
    return 0;
}

/* Encrypts a counter block, which gives a block of the key stream (A.3). */
static void stream(CCM *ccm, size_t nonce_size, uint64_t number, uint8_t block[BLOCK])
{
    put(ccm->counter, (unsigned)nonce_size + 1, number);
    INNER_(encrypt)(&ccm->keys, ccm->counter, block);
}

/* Encrypts or decrypts the text, and adds the plaintext to the CBC-MAC. */
static void turn(CCM *ccm, size_t nonce_size, const uint8_t *text, uint8_t *result, size_t size, int opens)
{
    uint8_t block[BLOCK];
    for (size_t at = 0; at < size; at++) {
        if (at % BLOCK == 0) {
            stream(ccm, nonce_size, at / BLOCK + 1, block);
        }
        uint8_t in = text[at], out = (uint8_t)(in ^ block[at % BLOCK]);
        take(ccm, opens ? &out : &in, 1);
        result[at] = out;
    }
    pad(ccm);
    wipe(block, sizeof block);
}

/* Encrypts the CBC-MAC with key stream block 0, which gives the tag. */
static void finish(CCM *ccm, size_t nonce_size)
{
    uint8_t block[BLOCK];
    stream(ccm, nonce_size, 0, block);
    for (unsigned i = 0; i < BLOCK; i++) {
        ccm->chain[i] = (uint8_t)(ccm->chain[i] ^ block[i]);
    }
    wipe(block, sizeof block);
}

int OUTER_(seal)(const uint8_t *key, const uint8_t *nonce, size_t nonce_size, const uint8_t *ad, size_t ad_size,
                 const uint8_t *text, size_t text_size, uint8_t *result, size_t tag_size)
{
    CCM    ccm;
    size_t sizes[4] = {nonce_size, ad_size, text_size, tag_size};
    if (begin(&ccm, key, nonce, sizes) != 0) {
        return -1;
    }
    if (ad_size > 0) {
        take_associated(&ccm, ad, ad_size);
    }
    turn(&ccm, nonce_size, text, result, text_size, 0);
    finish(&ccm, nonce_size);
    for (size_t i = 0; i < tag_size; i++) {
        result[text_size + i] = ccm.chain[i];
    }
    wipe(&ccm, sizeof ccm);
    wipe_registers();
    return 0;
}

int OUTER_(open)(const uint8_t *key, const uint8_t *nonce, size_t nonce_size, const uint8_t *ad, size_t ad_size,
                 const uint8_t *text, size_t text_size, uint8_t *result, size_t tag_size)
{
    CCM     ccm;
    size_t  plain = text_size - tag_size;
    size_t  sizes[4] = {nonce_size, ad_size, plain, tag_size};
    uint8_t differ   = 0;
    if (text_size < tag_size) {
        return -1;
    }
    if (begin(&ccm, key, nonce, sizes) != 0) {
        wipe(result, plain);
        return -1;
    }
    if (ad_size > 0) {
        take_associated(&ccm, ad, ad_size);
    }
    turn(&ccm, nonce_size, text, result, plain, 1);
    finish(&ccm, nonce_size);
    for (size_t i = 0; i < tag_size; i++) {
        differ = (uint8_t)(differ | (ccm.chain[i] ^ text[plain + i]));
    }
    wipe(&ccm, sizeof ccm);
    /* The result of the tag comparison is public. */
    uint32_t wrong = revealed(differ);
    if (wrong != 0) {
        wipe(result, plain);
    }
    wipe_registers();
    return wrong == 0 ? 0 : -1;
}
