/* RSA with moduli of 512, 1024 or 2048 bits (PKCS #1 v2.2, RFC 8017).
 *
 * -DRSA_BITS=512, 1024 or 2048 selects the size, which is part of the prefix of the function names: rsa1024_public()
 * and so on. All numbers are bytes, highest first, padded with zeros at the front. Functions return 0, or -1 if they
 * refuse an argument; messages and results may share memory. */

#ifndef RSA_H
#define RSA_H

#include <stddef.h>
#include <stdint.h>

#ifndef RSA_BITS
#define RSA_BITS 1024
#endif

#define RSA_JOIN(bits, name) rsa##bits##_##name
#define RSA_NAME(bits, name) RSA_JOIN(bits, name)
#define RSA(name)            RSA_NAME(RSA_BITS, name)

enum {
    RSA_BYTES        = RSA_BITS / 8,   /* modulus, private exponent, messages, results */
    RSA_HALF_BYTES   = RSA_BYTES / 2,  /* primes, and the values modulo them */
    RSA_E_BYTES      = 4,              /* public exponent */
    RSA_DIGEST_BYTES = 32,             /* of SHA-256, in OAEP and in signatures */
};

/* result = message^e mod n (sections 5.1.1 and 5.2.2). Returns -1 if the message is not below n, if n is even, or if
 * the exponent is even or 1. */
int RSA(public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                uint8_t result[RSA_BYTES]);

/* result = message^d mod n (sections 5.1.2 and 5.2.1). Returns -1 as above. */
int RSA(private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                 uint8_t result[RSA_BYTES]);

/* The private operation with the primes p and q, dp = d mod p - 1, dq = d mod q - 1 and qinv = 1 / q mod p. Blinding
 * multiplies the message by r^e, and the result by 1 / r; `blinding` holds both, which are squared in each call. The
 * result is verified with e before it is returned, because a fault in one half would reveal the primes; if it is wrong,
 * the function returns -1 and writes nothing. After that, and after some dozens of calls, a new blinding must be
 * generated. */
int RSA(private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                     const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                     const uint8_t qinv[RSA_HALF_BYTES], const uint8_t e[RSA_E_BYTES],
                     uint8_t blinding[2 * RSA_BYTES], const uint8_t message[RSA_BYTES], uint8_t result[RSA_BYTES]);

/* Generates a blinding, r^e and 1 / r, from random bytes, the first of which is ignored. It takes as long as two
 * private operations with the primes. Returns -1 for zeros, and for primes or an exponent that are refused. */
int RSA(blind)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES], const uint8_t qinv[RSA_HALF_BYTES],
               const uint8_t e[RSA_E_BYTES], const uint8_t random[RSA_BYTES], uint8_t blinding[2 * RSA_BYTES]);

/* RSAES-PKCS1-v1_5 (section 7.2), for messages of up to RSA_BYTES - 11 bytes. `random` has
 * RSA_BYTES - 3 - size bytes, none of them 0. */
int RSA(encrypt_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t *random,
                       const uint8_t *message, size_t size, uint8_t result[RSA_BYTES]);

/* `result` has room for RSA_BYTES - 11 bytes, of which the message takes `size`. Returns -1 for a wrong padding: an
 * attacker who can send ciphertexts and observe that decrypts other ciphertexts (Bleichenbacher, 1998). */
int RSA(decrypt_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                       const uint8_t cipher[RSA_BYTES], uint8_t *result, size_t *size);

/* Decryption for callers that would otherwise reveal, in time or by their reaction, whether the padding is right: for a
 * wrong padding the result is a message derived from key and ciphertext, whose length is derived in the same way
 * (implicit rejection of draft-irtf-cfrg-rsa-guidance). All RSA_BYTES - 11 bytes of `result` are written, with zeros
 * after the message. Returns -1 for invalid keys, and for ciphertexts that are not below n. */
int RSA(decrypt_pkcs1_implicit)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                                const uint8_t cipher[RSA_BYTES], uint8_t result[RSA_BYTES - 11], size_t *size);

/* RSAES-OAEP (section 7.1) with SHA-256, also in MGF1, for messages of up to RSA_BYTES - 66 bytes; 512 bits are too few
 * for any message. */
int RSA(encrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t seed[RSA_DIGEST_BYTES], const uint8_t *label, size_t label_size,
                      const uint8_t *message, size_t size, uint8_t result[RSA_BYTES]);

/* `result` has room for RSA_BYTES - 66 bytes, of which the message takes `size`. */
int RSA(decrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t cipher[RSA_BYTES],
                      const uint8_t *label, size_t label_size, uint8_t *result, size_t *size);

/* RSASSA-PKCS1-v1_5 (section 8.2) with SHA-256; the digest is the argument. */
int RSA(sign_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                    const uint8_t digest[RSA_DIGEST_BYTES], uint8_t signature[RSA_BYTES]);
int RSA(verify_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t digest[RSA_DIGEST_BYTES], const uint8_t signature[RSA_BYTES]);

#endif
