/* ECDSA signing on secp160r1 (SEC 1, 4.1.3), with a nonce that changes from round to round. */
#include "domain.h"
#include "ecdsa.h"
#include "kernel.h"

uint32_t kernel(uint32_t rounds) {
    uint8_t   number[20];
    FIELDP    key, nonce, digest;
    SIGNATURE signature = {{{0}}, {{0}}};
    for (unsigned i = 0; i < sizeof number; i++) number[i] = (uint8_t)(11 * i + 5);
    field_from_bytes(&key, number, sizeof number);
    field_from_bytes(&nonce, number, sizeof number);
    field_from_bytes(&digest, number, sizeof number);
    for (uint32_t round = 0; round < rounds; round++) {
        nonce.w[0] = round + 1;
        if (!ecdsa_sign(&secp160r1, &key, &nonce, &digest, &signature)) return 0;
    }
    return signature.s.w[0];
}
