/* The interface of all curves on top of the study's ECDSA: conversion between bytes and numbers. */

#include "raw.h"

#include "domain.h"
#include "ecdh.h"
#include "ecdsa.h"

enum { FIELD = SECP160R1_FIELD_BYTES, ORDER = SECP160R1_ORDER_BYTES };

static POINT point(const uint8_t bytes[2 * FIELD])
{
    POINT made = {.infinity = 0};
    field_from_bytes(&made.x, bytes, FIELD);
    field_from_bytes(&made.y, bytes + FIELD, FIELD);
    return made;
}

static FIELDP number(const uint8_t *bytes, size_t size)
{
    FIELDP made;
    field_from_bytes(&made, bytes, size);
    return made;
}

/* The leftmost bits of a digest, as many as the order has (SEC 1, section 4.1.3, step 5). */
static FIELDP hashed(const uint8_t *digest, size_t size)
{
    FIELDP made = number(digest, size < ORDER ? size : ORDER);
    for (unsigned bit = SECP160R1_ORDER_BITS; bit < 8 * ORDER && size >= ORDER; bit++) {
        field_halve(&made);
    }
    return made;
}

/* Converts the study's result, 1 for success, to 0 or -1. */
static int status_of(int is_good)
{
    return is_good ? 0 : -1;
}

int raw_public(const uint8_t secret[ORDER], uint8_t public[2 * FIELD])
{
    FIELDP key = number(secret, ORDER);
    POINT  made;
    int    is_good = ecdsa_public_key(&secp160r1, &key, &made);
    wipe(&key, sizeof key);
    if (is_good) {
        field_to_bytes(&made.x, public, FIELD);
        field_to_bytes(&made.y, public + FIELD, FIELD);
    }
    return status_of(is_good);
}

int raw_sign(const uint8_t secret[ORDER], const uint8_t *digest, size_t digest_size, const uint8_t nonce[ORDER],
             uint8_t signature[2 * ORDER])
{
    FIELDP    key = number(secret, ORDER), once = number(nonce, ORDER), hash = hashed(digest, digest_size);
    SIGNATURE made;
    int       is_good = ecdsa_sign(&secp160r1, &key, &once, &hash, &made);
    wipe(&key, sizeof key);
    wipe(&once, sizeof once);
    if (is_good) {
        field_to_bytes(&made.r, signature, ORDER);
        field_to_bytes(&made.s, signature + ORDER, ORDER);
    }
    return status_of(is_good);
}

int ecdsa_secp160r1_verify(const uint8_t public[2 * FIELD], const uint8_t *digest, size_t digest_size,
                           const uint8_t signature[2 * ORDER])
{
    POINT     key  = point(public);
    FIELDP    hash = hashed(digest, digest_size);
    SIGNATURE made = {.r = number(signature, ORDER), .s = number(signature + ORDER, ORDER)};
    return status_of(ecdsa_verify(&secp160r1, &key, &hash, &made));
}

int raw_shared(const uint8_t secret[ORDER], const uint8_t peer[2 * FIELD], uint8_t shared[FIELD])
{
    FIELDP key = number(secret, ORDER), made;
    POINT  other   = point(peer);
    int    is_good = ecdh(&secp160r1, &key, &other, &made);
    wipe(&key, sizeof key);
    if (is_good) {
        field_to_bytes(&made, shared, FIELD);
    }
    return status_of(is_good);
}
