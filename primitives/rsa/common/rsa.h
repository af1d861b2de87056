/* RSA with moduli of 512, 1024 or 2048 bits (PKCS #1 v2.2, RFC 8017).
 *
 * -DRSA_BITS=512, 1024 or 2048 chooses the size, with which the names of the functions begin:
 * rsa1024_public() and so on. All numbers are bytes, the highest first, with zeros before them where they are
 * shorter. Functions return 0, or -1 where they refuse what they are given; messages and results may share
 * memory. */

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
    RSA_HALF_BYTES   = RSA_BYTES / 2,  /* primes and what belongs to them */
    RSA_E_BYTES      = 4,              /* public exponent */
    RSA_DIGEST_BYTES = 32,             /* of SHA-256, in OAEP and in signatures */
};

/* result = message^e mod n (sections 5.1.1 and 5.2.2); -1 where the message is not below n, or n is even, or the
 * exponent is even or 1. */
int RSA(public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                uint8_t result[RSA_BYTES]);

/* result = message^d mod n (sections 5.1.2 and 5.2.1); -1 as above. */
int RSA(private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                 uint8_t result[RSA_BYTES]);

/* The same from the primes p and q, dp = d mod p - 1, dq = d mod q - 1 and qinv = 1 / q mod p. The message is blinded:
 * multiplied by r^e, and the result by 1 / r, which are kept in `blinding` and squared with each call. The result is
 * checked by e before it is given out, for a fault in one half would give the primes away; -1 where it is wrong, too,
 * with nothing written to it. After that, and after some dozens of calls, a new blinding is to be made. */
int RSA(private_crt)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES],
                     const uint8_t dp[RSA_HALF_BYTES], const uint8_t dq[RSA_HALF_BYTES],
                     const uint8_t qinv[RSA_HALF_BYTES], const uint8_t e[RSA_E_BYTES],
                     uint8_t blinding[2 * RSA_BYTES], const uint8_t message[RSA_BYTES], uint8_t result[RSA_BYTES]);

/* A blinding from random bytes, the first of which does not count: r^e and 1 / r. Takes as long as two private
 * operations from the primes. -1 for zeros, and for primes or an exponent that are refused. */
int RSA(blind)(const uint8_t p[RSA_HALF_BYTES], const uint8_t q[RSA_HALF_BYTES], const uint8_t qinv[RSA_HALF_BYTES],
               const uint8_t e[RSA_E_BYTES], const uint8_t random[RSA_BYTES], uint8_t blinding[2 * RSA_BYTES]);

/* RSAES-PKCS1-v1_5 (section 7.2), for messages of up to RSA_BYTES - 11 bytes. `random` has
 * RSA_BYTES - 3 - size bytes, none of them 0. */
int RSA(encrypt_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t *random,
                       const uint8_t *message, size_t size, uint8_t result[RSA_BYTES]);

/* `result` has room for RSA_BYTES - 11 bytes, of which `size` tells how many are the message. That a padding is wrong is
 * told by -1: whoever can send ciphers and learn of that decrypts others (Bleichenbacher, 1998). */
int RSA(decrypt_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                       const uint8_t cipher[RSA_BYTES], uint8_t *result, size_t *size);

/* The same for callers who would otherwise tell whether the padding is right, in time or by what they do next: a
 * wrong one gives a message that follows from key and cipher, of a length that does so too (implicit rejection of
 * draft-irtf-cfrg-rsa-guidance). All RSA_BYTES - 11 bytes of `result` are written, zeros behind the message; -1 for
 * keys and ciphers that no message has. */
int RSA(decrypt_pkcs1_implicit)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                                const uint8_t cipher[RSA_BYTES], uint8_t result[RSA_BYTES - 11], size_t *size);

/* RSAES-OAEP (section 7.1) with SHA-256, also in its mask, for messages of up to RSA_BYTES - 66 bytes: 512
 * bits are too few for any. */
int RSA(encrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t seed[RSA_DIGEST_BYTES], const uint8_t *label, size_t label_size,
                      const uint8_t *message, size_t size, uint8_t result[RSA_BYTES]);

/* `result` has room for RSA_BYTES - 66 bytes, of which `size` tells how many are the message. */
int RSA(decrypt_oaep)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t cipher[RSA_BYTES],
                      const uint8_t *label, size_t label_size, uint8_t *result, size_t *size);

/* RSASSA-PKCS1-v1_5 (section 8.2) with SHA-256, of whose result these have the digest. */
int RSA(sign_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                    const uint8_t digest[RSA_DIGEST_BYTES], uint8_t signature[RSA_BYTES]);
int RSA(verify_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t digest[RSA_DIGEST_BYTES], const uint8_t signature[RSA_BYTES]);

#endif
