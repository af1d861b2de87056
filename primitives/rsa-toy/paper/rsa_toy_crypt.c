/* Encryption of many blocks: the paper's tables have 4 to 40,000 bytes, encrypted and decrypted. */

#include "bytes.h"
#include "rsa_toy.h"

int rsa_toy_crypt(const uint8_t *text, uint8_t *result, size_t size, uint32_t y, uint32_t n)
{
    for (; size >= RSA_TOY_BYTES; size -= RSA_TOY_BYTES) {
        uint32_t x = load32_be(text);
        if (x >= n) {
            return -1;
        }
        store32_be(result, rsa_toy_encrypt(x, y, n));
        text += RSA_TOY_BYTES;
        result += RSA_TOY_BYTES;
    }
    return size == 0 ? 0 : -1;
}
