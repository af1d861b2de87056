/* The certificate authority: answers an enrolment with a certificate, and refuses all other packets. */

#include "authority.h"

#include "certificate.h"
#include "curve.h"
#include "phase.h"

enum { NODE_AT = 1, RANDOM_AT = 3 };

static REASON check(const MESSAGE *in)
{
    const ENROL *enrol = &in->packet.enrol;
    if (!message_is(in, TYPE_ENROL, sizeof *enrol)) {
        return REASON_FORMAT;
    }
    if (!curve_is_usable(enrol->q)) {
        return REASON_POINT;
    }
    return enrol->role == ROLE_SERVER || enrol->role == ROLE_TERMINAL ? REASON_NONE : REASON_ROLE;
}

/* Fills in the signed fields: the temporary identity, and its expiry. */
static void fill(MEMBER *ca, uint8_t role, uint32_t node, CERTIFICATE *certificate)
{
    certificate->name[0]           = role;
    certificate->name[NODE_AT]     = (uint8_t)(node >> 8);
    certificate->name[NODE_AT + 1] = (uint8_t)node;
    member_random(ca, certificate->name + RANDOM_AT, NAME_BYTES - RANDOM_AT);
    for (unsigned i = 0; i < sizeof certificate->expiry; i++) {
        certificate->expiry[i] = (uint8_t)(ca->parameters->expiry >> (24 - 8 * i));
    }
}

int authority_receive(MEMBER *ca, const MESSAGE *in, MESSAGE *out, OUTCOME *outcome)
{
    CERTIFIED *certified = &out->packet.certified;
    out->size            = 0;
    if (in->packet.bytes[0] == TYPE_REFUSE) {
        return 0;
    }
    REASON reason = check(in);
    if (reason == REASON_NONE) {
        fill(ca, in->packet.enrol.role, in->node, &certified->certificate);
        reason = certificate_sign(ca, in->packet.enrol.q, &certified->certificate) ? REASON_NONE : REASON_RANGE;
    }
    if (reason != REASON_NONE) {
        message_refuse(out, in->node, reason);
        return 0;
    }
    out->node       = in->node;
    out->size       = sizeof *certified;
    certified->type = TYPE_CERTIFICATE;
    copy_bytes(certified->ca, ca->identity->q, POINT_BYTES);
    *outcome = (OUTCOME){.state = STATE_OPEN, .peer = in->node};
    copy_bytes(outcome->name, certified->certificate.name, NAME_BYTES);
    return 1;
}
