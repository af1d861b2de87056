/* Steps of a session that server and terminal share. */

#include "session.h"

#include "certificate.h"
#include "curve.h"
#include "derive.h"
#include "ecdh.h"
#include "phase.h"

REASON session_agree(const MEMBER *member, const uint8_t q[POINT_BYTES], const uint8_t salt_u[SALT_BYTES],
                     const uint8_t salt_s[SALT_BYTES], uint8_t z[KEY_BYTES], uint8_t key[KEY_BYTES])
{
    PIECE  pieces[] = {{z, KEY_BYTES}, {salt_u, SALT_BYTES}, {salt_s, SALT_BYTES}};
    POINT  other    = curve_from_bytes(q);
    FIELDP own, secret;
    phase(MARK_AGREE);
    field_from_bytes(&own, member->identity->d, NUMBER_BYTES);
    int usable = ecdh(&secp160r1, &own, &other, &secret);
    wipe(&own, sizeof own);
    phase(MARK_IDLE);
    if (!usable) {
        return REASON_POINT;
    }
    field_to_bytes(&secret, z, KEY_BYTES);
    wipe(&secret, sizeof secret);
    phase(MARK_DERIVE);
    derive(LABEL_SEALS, pieces, 3, key);
    phase(MARK_IDLE);
    return REASON_NONE;
}

void session_prove(const MEMBER *member, const SEAL *how, uint8_t *packet, size_t at)
{
    const CERTIFICATE *own = &member->identity->certificate;
    copy_bytes(packet + at, (const uint8_t *)own, sizeof *own);
    seal(how, packet, at, sizeof(PROOF));
}

REASON session_examine(const MEMBER *member, const SEAL *how, uint32_t role, const uint8_t q[POINT_BYTES],
                       uint8_t *packet, size_t at, OUTCOME *outcome)
{
    const PROOF *proof = (const PROOF *)(packet + at);
    if (!unseal(how, packet, at, sizeof *proof)) {
        return REASON_SEAL;
    }
    REASON reason = certificate_check(&proof->certificate, role, q, member->identity->ca, member->now);
    if (reason == REASON_NONE) {
        copy_bytes(outcome->name, proof->certificate.name, NAME_BYTES);
    }
    return reason;
}

void session_key(const uint8_t z[KEY_BYTES], const uint8_t g_s[SALT_BYTES], const uint8_t g_u[SALT_BYTES],
                 SHA1 *transcript, uint8_t key[KEY_BYTES])
{
    uint8_t h[SHA1_BYTES];
    PIECE   pieces[] = {{z, KEY_BYTES}, {g_s, SALT_BYTES}, {g_u, SALT_BYTES}, {h, sizeof h}};
    phase(MARK_DERIVE);
    sha1_final(transcript, h);
    derive(LABEL_SESSION, pieces, 4, key);
    phase(MARK_IDLE);
}

void session_note(SHA1 *transcript, const MESSAGE *message)
{
    phase(MARK_HASH);
    sha1_update(transcript, message->packet.bytes, message->size);
    phase(MARK_IDLE);
}

void session_end(OUTCOME *outcome, REASON reason, const uint8_t key[KEY_BYTES])
{
    outcome->state  = reason == REASON_NONE ? STATE_OPEN : STATE_REFUSED;
    outcome->reason = (uint32_t)reason;
    if (reason == REASON_NONE) {
        copy_bytes(outcome->key, key, KEY_BYTES);
    }
}

REASON session_refusal(const MESSAGE *in)
{
    return in->size == sizeof(REFUSE) ? REASON_PEER : REASON_FORMAT;
}

size_t session_data(const MEMBER *member)
{
    uint32_t size = member->parameters->size;
    return size < MAX_DATA ? size : MAX_DATA;
}
