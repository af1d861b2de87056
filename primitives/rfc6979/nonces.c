/* Nonces by HMAC-DRBG (RFC 6979, section 3.2). */

#include "nonces.h"

#include "bytes.h"
#include "hmac.h"

static size_t bytes_of(const NONCES *own)
{
    return (own->bits + 7) / 8;
}

/* bits2int (section 2.3.2): the leftmost bits of a string, as a number as long as the order; both may be the same
 * memory. */
static void number_of_bits(const NONCES *own, uint8_t *number, const uint8_t *string, size_t string_size)
{
    size_t   size   = bytes_of(own);
    size_t   zeros  = string_size < size ? size - string_size : 0;
    unsigned spare  = zeros > 0 ? 0 : (unsigned)(8 * size - own->bits);
    uint32_t window = 0;
    for (size_t i = 0; i < size; i++) {
        window    = window << 8 | (i < zeros ? 0 : string[i - zeros]);
        number[i] = (uint8_t)((window & 0xffff) >> spare);
    }
}

/* less = number - order; returns the borrow. */
static uint32_t minus_order(const NONCES *own, uint8_t *less, const uint8_t *number)
{
    uint32_t borrow = 0;
    for (size_t i = bytes_of(own); i-- > 0;) {
        uint32_t rest = (uint32_t)number[i] - own->order[i] - borrow;
        less[i]       = (uint8_t)rest;
        borrow        = rest >> 31;
    }
    return borrow;
}

/* Returns true if a number is between 1 and the order less 1; the answer is public. */
static uint32_t is_usable(const NONCES *own, const uint8_t *number)
{
    uint8_t  less[NONCES_MOST];
    uint32_t any = 0, is_below = minus_order(own, less, number);
    for (size_t i = 0; i < bytes_of(own); i++) {
        any |= number[i];
    }
    wipe(less, sizeof less);
    return revealed(opaque(is_below) & opaque(0u - any) >> 31);
}

/* Reduces a digest modulo the order (section 2.3.4). One conditional subtraction is enough, because the order is at
 * least half of the range. */
static void reduce_digest(const NONCES *own, uint8_t *number, const uint8_t *digest, size_t digest_size)
{
    uint8_t less[NONCES_MOST];
    number_of_bits(own, number, digest, digest_size);
    uint32_t keep = 0u - opaque(minus_order(own, less, number));
    for (size_t i = 0; i < bytes_of(own); i++) {
        number[i] = (uint8_t)((number[i] & keep) | (less[i] & ~keep));
    }
}

/* v = HMAC(k, v) */
static void next_v(NONCES *own)
{
    HMAC mac;
    OUTER_(init)(&mac, own->k, INNER_DIGEST);
    OUTER_(update)(&mac, own->v, INNER_DIGEST);
    OUTER_(final)(&mac, own->v);
}

/* k = HMAC(k, v, a byte, and secret and digest if given), and then v = HMAC(k, v). */
static void next_k(NONCES *own, uint8_t byte, const uint8_t *secret, const uint8_t *digest)
{
    HMAC mac;
    OUTER_(init)(&mac, own->k, INNER_DIGEST);
    OUTER_(update)(&mac, own->v, INNER_DIGEST);
    OUTER_(update)(&mac, &byte, 1);
    if (secret) {
        OUTER_(update)(&mac, secret, bytes_of(own));
        OUTER_(update)(&mac, digest, bytes_of(own));
    }
    OUTER_(final)(&mac, own->k);
    next_v(own);
}

int NONCES_(begin)(NONCES *own, const uint8_t *order, unsigned bits, const uint8_t *secret, const uint8_t *digest,
                   size_t digest_size)
{
    uint8_t reduced[NONCES_MOST];
    own->order = order;
    own->bits  = bits;
    own->again = 0;
    if (!is_usable(own, secret)) {
        return -1;
    }
    reduce_digest(own, reduced, digest, digest_size);
    for (unsigned i = 0; i < INNER_DIGEST; i++) {
        own->k[i] = 0;
        own->v[i] = 1;
    }
    next_k(own, 0, secret, reduced);
    next_k(own, 1, secret, reduced);
    return 0;
}

void NONCES_(next)(NONCES *own, uint8_t *nonce)
{
    size_t size = bytes_of(own);
    do {
        if (own->again) {
            next_k(own, 0, NULL, NULL);
        }
        for (size_t i = 0; i < size; i++) {
            if (i % INNER_DIGEST == 0) {
                next_v(own);
            }
            nonce[i] = own->v[i % INNER_DIGEST];
        }
        number_of_bits(own, nonce, nonce, size);
        own->again = 1;
    } while (!is_usable(own, nonce));
}
