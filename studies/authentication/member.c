/* The state and functions that all roles share. */

#include "member.h"

#include "certificate.h"
#include "curve.h"
#include "phase.h"

void member_init(MEMBER *member, const PARAMETERS *parameters, IDENTITY *identity)
{
    member->parameters = parameters;
    member->identity   = identity;
    member->now        = parameters->now;
    prng_init(&member->random, parameters->seed);
}

void member_wipe(MEMBER *member)
{
    prng_wipe(&member->random);
}

void member_random(MEMBER *member, uint8_t *bytes, size_t size)
{
    phase(MARK_RANDOM);
    prng_bytes(&member->random, bytes, size);
    phase(MARK_IDLE);
}

void member_random_number(MEMBER *member, FIELDP *number)
{
    uint8_t bytes[NUMBER_BYTES - 1];
    member_random(member, bytes, sizeof bytes);
    field_from_bytes(number, bytes, sizeof bytes);
    number->w[0] |= (uint32_t)field_is_zero(number);
    wipe(bytes, sizeof bytes);
}

void member_make_keys(MEMBER *member)
{
    FIELDP key;
    POINT  point;
    member_random_number(member, &key);
    phase(MARK_KEY);
    (void)ecdsa_public_key(&secp160r1, &key, &point);
    phase(MARK_IDLE);
    field_to_bytes(&key, member->identity->d, NUMBER_BYTES);
    curve_to_bytes(&point, member->identity->q);
    wipe(&key, sizeof key);
}

void member_enrol(const MEMBER *member, MESSAGE *out)
{
    ENROL *enrol = &out->packet.enrol;
    out->node    = member->parameters->ca;
    out->size    = sizeof *enrol;
    enrol->type  = TYPE_ENROL;
    enrol->role  = (uint8_t)member->parameters->role;
    copy_bytes(enrol->q, member->identity->q, POINT_BYTES);
}

REASON member_take_certificate(MEMBER *member, const MESSAGE *in, OUTCOME *outcome)
{
    const CERTIFIED *certified = &in->packet.certified;
    IDENTITY        *identity  = member->identity;
    if (message_is(in, TYPE_REFUSE, sizeof(REFUSE))) {
        return REASON_PEER;
    }
    if (!message_is(in, TYPE_CERTIFICATE, sizeof *certified)) {
        return REASON_FORMAT;
    }
    if (!curve_is_usable(certified->ca)) {
        return REASON_POINT;
    }
    REASON reason = certificate_check(&certified->certificate, member->parameters->role, identity->q, certified->ca,
                                      member->now);
    if (reason == REASON_NONE) {
        copy_bytes(identity->ca, certified->ca, POINT_BYTES);
        identity->certificate = certified->certificate;
        copy_bytes(outcome->name, certified->certificate.name, NAME_BYTES);
    }
    return reason;
}
