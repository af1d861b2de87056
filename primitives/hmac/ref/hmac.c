/* HMAC (FIPS 198-1, section 4). */

#include "hmac.h"

#include "bytes.h"
#include "wiping.h"

enum { INNER_PAD = 0x36, OUTER_PAD = 0x5c };

/* Changes the pad of the stored key to the other one. */
static void xor_pad(HMAC *mac, uint8_t pad)
{
    for (size_t i = 0; i < INNER_BLOCK; i++) {
        mac->key[i] = (uint8_t)(mac->key[i] ^ pad);
    }
}

/* Starts the hash with the padded key. */
static void begin(HMAC *mac)
{
    INNER_(init)(&mac->hash);
    INNER_(update)(&mac->hash, mac->key, INNER_BLOCK);
}

void OUTER_(init)(HMAC *mac, const uint8_t *key, size_t key_size)
{
    for (size_t i = 0; i < INNER_BLOCK; i++) {
        mac->key[i] = i < key_size ? key[i] : 0;
    }
    if (key_size > INNER_BLOCK) {
        uint8_t digest[INNER_DIGEST];
        INNER_(init)(&mac->hash);
        INNER_(update)(&mac->hash, key, key_size);
        INNER_(final)(&mac->hash, digest);
        for (size_t i = 0; i < INNER_BLOCK; i++) {
            mac->key[i] = i < INNER_DIGEST ? digest[i % INNER_DIGEST] : 0;
        }
        wipe(digest, sizeof digest);
    }
    xor_pad(mac, INNER_PAD);
    begin(mac);
    wipe_registers();
}

void OUTER_(update)(HMAC *mac, const uint8_t *message, size_t size)
{
    INNER_(update)(&mac->hash, message, size);
    wipe_registers();
}

void OUTER_(final)(HMAC *mac, uint8_t tag[INNER_DIGEST])
{
    uint8_t digest[INNER_DIGEST];
    INNER_(final)(&mac->hash, digest);
    xor_pad(mac, INNER_PAD ^ OUTER_PAD);
    begin(mac);
    INNER_(update)(&mac->hash, digest, INNER_DIGEST);
    INNER_(final)(&mac->hash, tag);
    wipe(digest, sizeof digest);
    wipe(mac, sizeof *mac);
    wipe_registers();
}
