/* RSA with numbers of 32 bits (R. Duarte, C. Liu, X. Niu, "RSA Cryptography Acceleration for Embedded System", figure
 * 2). It protects nothing: it is a workload with rsa_toy_power() as its hotspot and candidate for hardware. */

#ifndef RSA_TOY_H
#define RSA_TOY_H

#include <stddef.h>
#include <stdint.h>

enum { RSA_TOY_BYTES = 4 };

typedef struct {
    uint32_t n; /* p q */
    uint32_t e; /* public exponent */
    uint32_t d; /* private exponent */
} RSA_TOY_KEYS;

/* The smallest prime that is at least `from`, for `from` up to 65521; PrimeNum() in the paper. */
uint32_t rsa_toy_prime(uint32_t from);

/* The greatest common divisor; GCD() in the paper. */
uint32_t rsa_toy_gcd(uint32_t a, uint32_t b);

/* 2^exponent, for 0 to 31; Power() in the paper. */
uint32_t rsa_toy_power(uint32_t exponent);

/* x^y mod n, for x below n; Encrypt() in the paper, which is used for decryption, too. */
uint32_t rsa_toy_encrypt(uint32_t x, uint32_t y, uint32_t n);

/* Generates keys from the first primes that are at least p and q, up to 65521; returns 0, or -1 if both primes are
 * equal, or one is below 5. */
int rsa_toy_keys(uint32_t p, uint32_t q, RSA_TOY_KEYS *keys);

/* Encrypts with y = e, or decrypts with y = d; every 4 bytes are a number, highest byte first. Returns 0, or -1 if a
 * number is not below n or the size is not a multiple of 4; numbers before it are processed. */
int rsa_toy_crypt(const uint8_t *text, uint8_t *result, size_t size, uint32_t y, uint32_t n);

#endif
