/* The three suites. XOR and AES encrypt, then compute a tag by HMAC-SHA-1; Ascon is an AEAD, and does both. */

#include "seal.h"

#include "ascon_aead128.h"
#include "counter.h"
#include "derive.h"
#include "field.h"
#include "mac.h"
#include "phase.h"
#include "xor_stream.h"

enum { PLACE_BYTES = 5, BLOCK_BYTES = 16 };

/* Direction and number, followed by zeros: a counter block or nonce. */
static void place(const SEAL *how, uint8_t block[BLOCK_BYTES])
{
    block[0] = (uint8_t)how->direction;
    for (unsigned i = 1; i < BLOCK_BYTES; i++) {
        block[i] = (uint8_t)(i < PLACE_BYTES ? how->number >> 8 * (PLACE_BYTES - 1 - i) : 0);
    }
}

/* Encrypts or decrypts by the stream cipher of a suite. */
static void crypt(const SEAL *how, const uint8_t block[BLOCK_BYTES], uint8_t *text, size_t size)
{
    PIECE   pieces[] = {{how->key, KEY_BYTES}, {block, PLACE_BYTES}};
    uint8_t key[KEY_BYTES];
    if (how->suite == SUITE_XOR) {
        derive(LABEL_CIPHER, pieces, 2, key);
        xor_stream(key, text, text, size);
    } else {
        derive(LABEL_CIPHER, pieces, 1, key);
        counter_crypt(key, block, text, size);
    }
    wipe(key, sizeof key);
}

static void compute_tag(const SEAL *how, const uint8_t block[BLOCK_BYTES], const uint8_t *packet, size_t at,
                        size_t size, uint8_t tag[MAC_BYTES])
{
    uint8_t length[2] = {(uint8_t)(at >> 8), (uint8_t)at};
    PIECE   secret    = {how->key, KEY_BYTES};
    PIECE   pieces[]  = {{block, PLACE_BYTES}, {length, sizeof length}, {packet, at + size}};
    uint8_t key[KEY_BYTES];
    derive(LABEL_TAG, &secret, 1, key);
    mac(key, pieces, 3, tag);
    wipe(key, sizeof key);
}

/* Ascon with the suite's key: opens if `opens` is set, else seals. */
static int run_ascon(const SEAL *how, const uint8_t nonce[BLOCK_BYTES], uint8_t *packet, size_t at, size_t size,
                     int opens)
{
    PIECE    secret = {how->key, KEY_BYTES};
    uint8_t *text   = packet + at;
    uint8_t  key[KEY_BYTES];
    int      wrong = 0;
    derive(LABEL_CIPHER, &secret, 1, key);
    if (opens) {
        wrong = ascon_aead128_open(key, nonce, packet, at, text, size + TAG_BYTES, text);
    } else {
        ascon_aead128_seal(key, nonce, packet, at, text, size, text);
    }
    wipe(key, sizeof key);
    return wrong == 0;
}

void seal(const SEAL *how, uint8_t *packet, size_t at, size_t size)
{
    uint8_t block[BLOCK_BYTES], tag[MAC_BYTES];
    phase(MARK_SEAL);
    place(how, block);
    if (how->suite == SUITE_ASCON) {
        (void)run_ascon(how, block, packet, at, size, 0);
    } else {
        crypt(how, block, packet + at, size);
        compute_tag(how, block, packet, at, size, tag);
        for (unsigned i = 0; i < TAG_BYTES; i++) {
            packet[at + size + i] = tag[i];
        }
        wipe(tag, sizeof tag);
    }
    phase(MARK_IDLE);
}

/* Compares tags in constant time. */
static int tag_is_good(const SEAL *how, const uint8_t block[BLOCK_BYTES], const uint8_t *packet, size_t at,
                       size_t size)
{
    uint8_t tag[MAC_BYTES], differs = 0;
    compute_tag(how, block, packet, at, size, tag);
    for (unsigned i = 0; i < TAG_BYTES; i++) {
        differs = (uint8_t)(differs | (tag[i] ^ packet[at + size + i]));
    }
    wipe(tag, sizeof tag);
    return differs == 0;
}

int unseal(const SEAL *how, uint8_t *packet, size_t at, size_t size)
{
    uint8_t block[BLOCK_BYTES];
    int     is_good;
    phase(MARK_UNSEAL);
    place(how, block);
    if (how->suite == SUITE_ASCON) {
        is_good = run_ascon(how, block, packet, at, size, 1);
    } else {
        is_good = tag_is_good(how, block, packet, at, size);
        if (is_good) {
            crypt(how, block, packet + at, size);
        }
    }
    phase(MARK_IDLE);
    return is_good;
}
