/* A user's terminal: sends hello, response and request. */

#include "terminal.h"

#include "curve.h"

void terminal_start(TERMINAL *terminal, MEMBER *member, OUTCOME *outcome, MESSAGE *out)
{
    HELLO *hello      = &out->packet.hello;
    terminal->member  = member;
    terminal->outcome = outcome;
    terminal->stage   = TERMINAL_HELLO;
    *outcome          = (OUTCOME){.state = STATE_PROGRESS, .peer = member->parameters->peer};
    member_random(member, terminal->salt, SALT_BYTES);
    out->node    = member->parameters->peer;
    out->size    = sizeof *hello;
    hello->type  = TYPE_HELLO;
    hello->suite = (uint8_t)member->parameters->suite;
    copy_bytes(hello->salt, terminal->salt, SALT_BYTES);
    copy_bytes(hello->q, member->identity->q, POINT_BYTES);
    sha1_init(&terminal->transcript);
    session_note(&terminal->transcript, out);
}

static void end(TERMINAL *terminal, REASON reason)
{
    session_end(terminal->outcome, reason, terminal->key);
    terminal->stage = TERMINAL_ENDED;
    wipe(terminal->key, sizeof terminal->key);
    wipe(&terminal->transcript, sizeof terminal->transcript);
}

void terminal_give_up(TERMINAL *terminal, MESSAGE *out)
{
    end(terminal, REASON_TIMEOUT);
    message_refuse(out, terminal->member->parameters->peer, REASON_TIMEOUT);
}

/* Authenticates the server; leaves g_s in the packet. */
static REASON examine(TERMINAL *terminal, MESSAGE *in, uint8_t z[KEY_BYTES], uint8_t key[KEY_BYTES])
{
    MEMBER    *member    = terminal->member;
    CHALLENGE *challenge = &in->packet.challenge;
    SEAL       how       = {member->parameters->suite, key, FROM_SERVER, 0};
    REASON     reason    = session_agree(member, challenge->q, terminal->salt, challenge->salt, z, key);
    if (reason != REASON_NONE) {
        return reason;
    }
    session_note(&terminal->transcript, in);
    return session_examine(member, &how, ROLE_SERVER, challenge->q, in->packet.bytes, CHALLENGE_AT,
                           terminal->outcome);
}

/* Sends the terminal's own certificate and g_u, and derives k_m. */
static void respond(TERMINAL *terminal, const uint8_t g_s[SALT_BYTES], const uint8_t z[KEY_BYTES],
                    const uint8_t key[KEY_BYTES], MESSAGE *out)
{
    MEMBER   *member   = terminal->member;
    RESPONSE *response = &out->packet.response;
    SEAL      how      = {member->parameters->suite, key, FROM_TERMINAL, 0};
    uint8_t   g_u[SALT_BYTES];
    member_random(member, g_u, sizeof g_u);
    out->size       = sizeof *response;
    response->type  = TYPE_RESPONSE;
    response->suite = (uint8_t)member->parameters->suite;
    copy_bytes(response->proof.g, g_u, sizeof g_u);
    session_prove(member, &how, out->packet.bytes, SEALED_AT);
    session_note(&terminal->transcript, out);
    session_key(z, g_s, g_u, &terminal->transcript, terminal->key);
    terminal->stage = TERMINAL_RESPONSE;
    wipe(g_u, sizeof g_u);
}

static REASON take_challenge(TERMINAL *terminal, MESSAGE *in, MESSAGE *out)
{
    const CHALLENGE *challenge = &in->packet.challenge;
    uint8_t          z[KEY_BYTES], key[KEY_BYTES];
    if (!message_is(in, TYPE_CHALLENGE, sizeof *challenge) ||
        challenge->suite != terminal->member->parameters->suite) {
        return REASON_FORMAT;
    }
    REASON reason = examine(terminal, in, z, key);
    if (reason == REASON_NONE) {
        respond(terminal, challenge->proof.g, z, key, out);
    }
    wipe(z, sizeof z);
    wipe(key, sizeof key);
    return reason;
}

/* Checks that the server sealed a packet with k_m, with data of the given size. */
static REASON open_sealed(TERMINAL *terminal, MESSAGE *in, uint8_t type, uint32_t number, size_t size)
{
    uint32_t suite = terminal->member->parameters->suite;
    SEAL     how   = {suite, terminal->key, FROM_SERVER, number};
    if (!message_is(in, type, SEALED_AT + size + TAG_BYTES) || in->packet.sealed.suite != suite) {
        return REASON_FORMAT;
    }
    return unseal(&how, in->packet.bytes, SEALED_AT, size) ? REASON_NONE : REASON_SEAL;
}

/* Byte i of the application's data. */
static uint8_t datum(size_t i)
{
    return (uint8_t)((uint8_t)i ^ 0x5a);
}

/* Handles accept, which confirms that the server has k_m, and sends the application's request. */
static REASON take_accept(TERMINAL *terminal, MESSAGE *in, MESSAGE *out)
{
    MEMBER *member = terminal->member;
    SEAL    how    = {member->parameters->suite, terminal->key, FROM_TERMINAL, 0};
    size_t  size   = session_data(member);
    REASON  reason = open_sealed(terminal, in, TYPE_ACCEPT, 0, 0);
    if (reason != REASON_NONE) {
        return reason;
    }
    out->size                = SEALED_AT + size + TAG_BYTES;
    out->packet.sealed.type  = TYPE_REQUEST;
    out->packet.sealed.suite = (uint8_t)member->parameters->suite;
    for (size_t i = 0; i < size; i++) {
        out->packet.sealed.data[i] = datum(i);
    }
    seal(&how, out->packet.bytes, SEALED_AT, size);
    terminal->stage = TERMINAL_REQUEST;
    return REASON_NONE;
}

static REASON take_reply(TERMINAL *terminal, MESSAGE *in)
{
    size_t size   = session_data(terminal->member);
    REASON reason = open_sealed(terminal, in, TYPE_REPLY, 1, size);
    for (size_t i = 0; i < size && reason == REASON_NONE; i++) {
        reason = (in->packet.sealed.data[i] ^ datum(i)) == 0xff ? REASON_NONE : REASON_FORMAT;
    }
    return reason;
}

static REASON take(TERMINAL *terminal, MESSAGE *in, MESSAGE *out)
{
    switch (terminal->stage) {
    case TERMINAL_HELLO:
        return take_challenge(terminal, in, out);
    case TERMINAL_RESPONSE:
        return take_accept(terminal, in, out);
    default:
        return take_reply(terminal, in);
    }
}

void terminal_receive(TERMINAL *terminal, MESSAGE *in, MESSAGE *out)
{
    out->node = in->node;
    out->size = 0;
    if (in->packet.bytes[0] == TYPE_REFUSE) {
        end(terminal, session_refusal(in));
        return;
    }
    TERMINAL_STAGE stage  = terminal->stage;
    REASON         reason = take(terminal, in, out);
    if (reason != REASON_NONE) {
        end(terminal, reason);
        message_refuse(out, in->node, reason);
    } else if (stage == TERMINAL_REQUEST) {
        end(terminal, REASON_NONE);
    }
}
