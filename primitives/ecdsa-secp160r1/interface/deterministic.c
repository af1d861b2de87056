/* Deterministic signatures: the nonce is derived from secret and digest (RFC 6979). */

#include "bytes.h"
#include "ecdsa_secp160r1.h"
#include "nonces.h"
#include "wiping.h"

/* Stack of the nonce generation, without its HMAC, which wipes its own. */
STACK_ROOM(room_nonces, 640)

static const uint8_t order[SECP160R1_ORDER_BYTES] = {
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0xf4, 0xc8, 0xf9, 0x27, 0xae, 0xd3, 0xca, 0x75, 0x22, 0x57,
};

/* A nonce for which r or s is 0 is replaced by the next one (section 3.2, step h). */
int ecdsa_secp160r1_sign_deterministic(const uint8_t secret[SECP160R1_ORDER_BYTES], const uint8_t *digest,
                                       size_t digest_size, uint8_t signature[2 * SECP160R1_ORDER_BYTES])
{
    NONCES  own;
    uint8_t nonce[SECP160R1_ORDER_BYTES];
    int     refused = NONCES_(begin)(&own, order, SECP160R1_ORDER_BITS, secret, digest, digest_size);
    if (!refused) {
        do {
            NONCES_(next)(&own, nonce);
        } while (ecdsa_secp160r1_sign(secret, digest, digest_size, nonce, signature) != 0);
        wipe(nonce, sizeof nonce);
    }
    wipe(&own, sizeof own);
    wipe_below(room_nonces());
    return refused;
}
