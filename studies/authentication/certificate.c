/* Certificates. */

#include "certificate.h"

#include "curve.h"
#include "phase.h"
#include "sha1.h"

/* Attempts to sign; each fails with probability 2^-160. */
enum { TRIES = 4 };

/* e = SHA-1(role, Q, name, expiry) as an integer; 160 bits are less than the order. */
static void digest(const CERTIFICATE *certificate, const uint8_t q[POINT_BYTES], FIELDP *e)
{
    SHA1    hash;
    uint8_t bytes[SHA1_BYTES];
    phase(MARK_HASH);
    sha1_init(&hash);
    sha1_update(&hash, certificate->name, 1);
    sha1_update(&hash, q, POINT_BYTES);
    sha1_update(&hash, certificate->name, sizeof certificate->name);
    sha1_update(&hash, certificate->expiry, sizeof certificate->expiry);
    sha1_final(&hash, bytes);
    phase(MARK_IDLE);
    field_from_bytes(e, bytes, sizeof bytes);
}

int certificate_sign(MEMBER *ca, const uint8_t q[POINT_BYTES], CERTIFICATE *certificate)
{
    FIELDP    key, nonce, e;
    SIGNATURE signature;
    int       done = 0;
    digest(certificate, q, &e);
    field_from_bytes(&key, ca->identity->d, NUMBER_BYTES);
    for (unsigned i = 0; i < TRIES && !done; i++) {
        member_random_number(ca, &nonce);
        phase(MARK_SIGN);
        done = ecdsa_sign(&secp160r1, &key, &nonce, &e, &signature);
        phase(MARK_IDLE);
    }
    wipe(&key, sizeof key);
    wipe(&nonce, sizeof nonce);
    if (done) {
        field_to_bytes(&signature.r, certificate->r, NUMBER_BYTES);
        field_to_bytes(&signature.s, certificate->s, NUMBER_BYTES);
    }
    return done;
}

static uint32_t expiry(const CERTIFICATE *certificate)
{
    uint32_t seconds = 0;
    for (unsigned i = 0; i < sizeof certificate->expiry; i++) {
        seconds = seconds << 8 | certificate->expiry[i];
    }
    return seconds;
}

REASON certificate_check(const CERTIFICATE *certificate, uint32_t role, const uint8_t q[POINT_BYTES],
                         const uint8_t ca[POINT_BYTES], uint32_t now)
{
    POINT     key = curve_from_bytes(ca);
    SIGNATURE signature;
    FIELDP    e;
    field_from_bytes(&signature.r, certificate->r, NUMBER_BYTES);
    field_from_bytes(&signature.s, certificate->s, NUMBER_BYTES);
    if (certificate->name[0] != role) {
        return REASON_ROLE;
    }
    if (expiry(certificate) < now) {
        return REASON_EXPIRED;
    }
    if (!ecdsa_in_range(&secp160r1, &signature.r) || !ecdsa_in_range(&secp160r1, &signature.s)) {
        return REASON_RANGE;
    }
    digest(certificate, q, &e);
    phase(MARK_VERIFY);
    int is_good = ecdsa_verify(&secp160r1, &key, &e, &signature);
    phase(MARK_IDLE);
    return is_good ? REASON_NONE : REASON_SIGNATURE;
}
