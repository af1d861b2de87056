/* Padding for encryption and signatures of PKCS #1 v1.5 (RFC 8017, sections 7.2, 8.2 and 9.2). */

#include "rsa_pkcs1.h"

#include "bytes.h"
#include "wiping.h"

STACK_ROOM(room_padding, 128)

int RSA(encrypt_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t *random,
                       const uint8_t *message, size_t size, uint8_t result[RSA_BYTES])
{
    uint8_t block[RSA_BYTES] = {0, 2};
    if (size > RSA_BYTES - OVERHEAD) {
        return -1;
    }
    size_t padding = RSA_BYTES - 3 - size;
    int    fine    = 1;
    for (size_t i = 0; i < padding; i++) {
        block[2 + i] = random[i];
        fine &= random[i] != 0;
    }
    for (size_t i = 0; i < size; i++) {
        block[RSA_BYTES - size + i] = message[i];
    }
    if (fine) {
        fine = RSA(public)(n, e, block, result) == 0;
    }
    wipe(block, sizeof block);
    wipe_registers();
    return fine - 1;
}

/* All bytes are checked in constant time, because an attacker who learns which check fails can decrypt (Bleichenbacher,
 * 1998). */
uint32_t RSA(start_of)(const uint8_t block[RSA_BYTES])
{
    uint32_t wrong = (uint32_t)(block[0] | (block[1] ^ 2));
    uint32_t start = 0;
    for (uint32_t i = 2; i < RSA_BYTES; i++) {
        uint32_t is_zero = ((uint32_t)block[i] - 1) >> 31;
        uint32_t first   = is_zero & ((start - 1) >> 31);
        start |= (i + 1) & (0u - first);
    }
    wrong |= (start - OVERHEAD) >> 31;
    return start & opaque(0u - ((wrong - 1) >> 31));
}

int RSA(decrypt_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                       const uint8_t cipher[RSA_BYTES], uint8_t *result, size_t *size)
{
    uint8_t block[RSA_BYTES];
    if (RSA(private)(n, d, cipher, block)) {
        return -1;
    }
    /* Whether the padding is valid, and the length of the message, are public. */
    uint32_t start = revealed(RSA(start_of)(block));
    if (start > 0) {
        *size = RSA_BYTES - start;
        for (size_t i = 0; i < *size; i++) {
            result[i] = block[start + i];
        }
    }
    wipe(block, sizeof block);
    wipe_below(room_padding());
    return start > 0 ? 0 : -1;
}

/* Byte i of the encoded message for signatures: 0, 1, bytes of 255, 0, DigestInfo for SHA-256, digest (section 9.2,
 * note 1). */
static uint8_t signed_byte(const uint8_t digest[RSA_DIGEST_BYTES], size_t i)
{
    static const uint8_t info[] = {
        0x00, 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48,
        0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
    };
    if (i >= RSA_BYTES - RSA_DIGEST_BYTES) {
        return digest[i - (RSA_BYTES - RSA_DIGEST_BYTES)];
    }
    if (i >= RSA_BYTES - RSA_DIGEST_BYTES - sizeof info) {
        return info[i - (RSA_BYTES - RSA_DIGEST_BYTES - sizeof info)];
    }
    return i < 2 ? (uint8_t)i : 0xff;
}

int RSA(sign_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES],
                    const uint8_t digest[RSA_DIGEST_BYTES], uint8_t signature[RSA_BYTES])
{
    uint8_t block[RSA_BYTES];
    for (size_t i = 0; i < RSA_BYTES; i++) {
        block[i] = signed_byte(digest, i);
    }
    return RSA(private)(n, d, block, signature);
}

int RSA(verify_pkcs1)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES],
                      const uint8_t digest[RSA_DIGEST_BYTES], const uint8_t signature[RSA_BYTES])
{
    uint8_t  block[RSA_BYTES];
    uint32_t wrong = 0;
    if (RSA(public)(n, e, signature, block)) {
        return -1;
    }
    for (size_t i = 0; i < RSA_BYTES; i++) {
        wrong |= (uint32_t)(block[i] ^ signed_byte(digest, i));
    }
    return wrong ? -1 : 0;
}
