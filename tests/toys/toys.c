/* Primitives of every kind that secure nothing: sums of what goes in, and bytes that count up from them.
 *
 * Each is there four times: good, long (a byte too much is written), short (one is missing) and none (nothing is
 * written at all). tests/python/test_vectors.py knows what the good ones give. */
#include <stddef.h>
#include <string.h>
#include "toys.h"

enum { SIZE = 8, MODULUS = 16 };
typedef unsigned char byte;

static byte sum(const byte *of, size_t size)
{
    byte found = 1;
    for (size_t i = 0; i < size; i++) found = (byte)(3 * found + of[i]);
    return found;
}

/* So many bytes, or more of them, or fewer. */
static void count(byte *out, size_t size, int more, byte from)
{
    for (int i = 0; i < (int)size + more; i++) out[i] = (byte)(from + 7 * i);
}

static void add(const byte *text, byte *result, size_t size, int more, byte key)
{
    for (int i = 0; i < (int)size + more; i++) result[i] = (byte)(text[i] + key + i);
}

static void subtract(const byte *text, byte *result, size_t size, int more, byte key)
{
    for (int i = 0; i < (int)size + more; i++) result[i] = (byte)(text[i] - key - i);
}

static byte of_public(const byte *secret)
{
    byte made[SIZE];
    count(made, SIZE, 0, sum(secret, SIZE));
    return sum(made, SIZE);
}

static int differs(const byte *given, size_t size, byte from)
{
    int wrong = 0;
    for (size_t i = 0; i < size; i++) wrong |= given[i] ^ (byte)(from + 7 * i);
    return wrong ? -1 : 0;
}

#define KEYED(NAME, MORE) \
    void NAME##_block_cipher_expand(TOY *keys, const byte *key) { keys->sum = sum(key, SIZE); } \
    void NAME##_block_cipher_encrypt(const TOY *keys, const byte *text, byte *result) \
    { add(text, result, SIZE, MORE, keys->sum); } \
    void NAME##_block_cipher_decrypt(const TOY *keys, const byte *text, byte *result) \
    { subtract(text, result, SIZE, MORE, keys->sum); } \
    void NAME##_mode_expand(TOY *keys, const byte *key) { keys->sum = sum(key, SIZE); } \
    void NAME##_mode_encrypt(const TOY *keys, const byte *iv, const byte *text, byte *result, size_t size) \
    { add(text, result, size, MORE, (byte)(keys->sum + sum(iv, SIZE))); } \
    void NAME##_mode_decrypt(const TOY *keys, const byte *iv, const byte *text, byte *result, size_t size) \
    { subtract(text, result, size, MORE, (byte)(keys->sum + sum(iv, SIZE))); } \
    void NAME##_stream_cipher_init(TOY *state, const byte *key, const byte *nonce) \
    { state->sum = (byte)(sum(key, SIZE) + sum(nonce, SIZE)); } \
    void NAME##_stream_cipher_crypt(const TOY *state, const byte *text, byte *result, size_t size) \
    { add(text, result, size, MORE, state->sum); } \
    void NAME##_aead_seal(const byte *key, const byte *nonce, const byte *ad, size_t ad_size, const byte *text, \
                          size_t size, byte *result) \
    { \
        byte seed = (byte)(sum(key, SIZE) + sum(nonce, SIZE) + sum(ad, ad_size)); \
        byte tag = (byte)(seed + sum(text, size)); \
        add(text, result, size, 0, seed); \
        count(result + size, SIZE, MORE, tag); \
    } \
    int NAME##_aead_open(const byte *key, const byte *nonce, const byte *ad, size_t ad_size, const byte *text, \
                         size_t size, byte *result) \
    { \
        byte seed = (byte)(sum(key, SIZE) + sum(nonce, SIZE) + sum(ad, ad_size)); \
        subtract(text, result, size - SIZE, 0, seed); \
        if (!differs(text + size - SIZE, SIZE, (byte)(seed + sum(result, size - SIZE)))) return 0; \
        memset(result, 0, size - SIZE); \
        return -1; \
    }

#define DIGESTS(NAME, MORE) \
    void NAME##_hash_init(TOY *state) { state->sum = 1; } \
    void NAME##_hash_update(TOY *state, const byte *message, size_t size) \
    { state->sum = (byte)(state->sum + sum(message, size)); } \
    void NAME##_hash_final(const TOY *state, byte *digest) { count(digest, SIZE, MORE, state->sum); } \
    void NAME##_mac_init(TOY *state, const byte *key, size_t size) { state->sum = sum(key, size); } \
    void NAME##_mac_update(TOY *state, const byte *message, size_t size) \
    { state->sum = (byte)(state->sum + sum(message, size)); } \
    void NAME##_mac_final(const TOY *state, byte *tag) { count(tag, SIZE, MORE, state->sum); }

#define CURVES(KIND, MORE) \
    void KIND##_public(const byte *secret, byte *public) { count(public, SIZE, MORE, sum(secret, SIZE)); } \
    int KIND##_shared(const byte *secret, const byte *peer, byte *shared) \
    { \
        count(shared, SIZE, MORE, (byte)(sum(secret, SIZE) + sum(peer, SIZE))); \
        return 0; \
    }

#define SIGNED(NAME, MORE) \
    CURVES(NAME##_key_exchange, MORE) \
    CURVES(NAME##_signature, MORE) \
    CURVES(NAME##_ecdsa, MORE) \
    void NAME##_signature_sign(const byte *secret, const byte *message, size_t size, byte *signature) \
    { count(signature, SIZE, MORE, (byte)(of_public(secret) + sum(message, size))); } \
    int NAME##_signature_verify(const byte *public, const byte *message, size_t size, const byte *signature) \
    { return differs(signature, SIZE, (byte)(sum(public, SIZE) + sum(message, size))); } \
    void NAME##_ecdsa_sign(const byte *secret, const byte *digest, size_t size, const byte *nonce, byte *signature) \
    { (void)nonce, count(signature, SIZE, MORE, (byte)(of_public(secret) + sum(digest, size))); } \
    int NAME##_ecdsa_verify(const byte *public, const byte *digest, size_t size, const byte *signature) \
    { return differs(signature, SIZE, (byte)(sum(public, SIZE) + sum(digest, size))); } \
    int NAME##_signing_keypair(byte *public, byte *secret) \
    { \
        count(secret, SIZE, 0, 5); \
        count(public, SIZE, MORE, sum(secret, SIZE)); \
        return 0; \
    } \
    int NAME##_signing_sign(byte *signature, size_t *length, const byte *message, size_t size, const byte *secret) \
    { \
        count(signature, SIZE, MORE, (byte)(of_public(secret) + sum(message, size))); \
        *length = SIZE; \
        return 0; \
    } \
    int NAME##_signing_verify(const byte *signature, size_t length, const byte *message, size_t size, \
                              const byte *public) \
    { return length == SIZE ? differs(signature, SIZE, (byte)(sum(public, SIZE) + sum(message, size))) : -1; } \
    int NAME##_kem_keypair(byte *public, byte *secret) \
    { \
        count(secret, SIZE, 0, 5); \
        count(public, SIZE, 0, 5); \
        return 0; \
    } \
    int NAME##_kem_encapsulate(byte *ciphertext, byte *shared, const byte *public) \
    { \
        count(ciphertext, SIZE, 0, 9); \
        count(shared, SIZE, MORE, (byte)(sum(public, SIZE) + sum(ciphertext, SIZE))); \
        return 0; \
    } \
    int NAME##_kem_decapsulate(byte *shared, const byte *ciphertext, const byte *secret) \
    { \
        count(shared, SIZE, MORE, (byte)(sum(secret, SIZE) + sum(ciphertext, SIZE))); \
        return 0; \
    }

#define NUMBERS(NAME, MORE) \
    int NAME##_rsa_public(const byte *n, const byte *e, const byte *message, byte *result) \
    { \
        count(result, MODULUS, MORE, (byte)(sum(n, MODULUS) + sum(e, 4) + sum(message, MODULUS))); \
        return 0; \
    } \
    int NAME##_rsa_decrypt_pkcs1(const byte *n, const byte *d, const byte *cipher, byte *result, size_t *length) \
    { \
        *length = 5; \
        count(result, 5, MORE > 0 ? MODULUS - 4 : MORE, (byte)(sum(n, MODULUS) + sum(d, MODULUS) + sum(cipher, MODULUS))); \
        return 0; \
    } \
    unsigned NAME##_rsa_toy_prime(unsigned from) { return from + 1 + (MORE != 0); } \
    int NAME##_rsa_toy_crypt(const byte *text, byte *result, size_t size, unsigned y, unsigned n) \
    { \
        add(text, result, size, MORE, (byte)(y + n)); \
        return 0; \
    }

#define ALL(NAME, MORE) KEYED(NAME, MORE) DIGESTS(NAME, MORE) SIGNED(NAME, MORE) NUMBERS(NAME, MORE)

ALL(good, 0)
ALL(long, 1)
ALL(short, -1)
ALL(none, -1000)
