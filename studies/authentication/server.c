/* A server with several sessions: sends challenge, accept and reply, and handles packets in the order of arrival. */

#include "server.h"

#include "clock.h"
#include "curve.h"

void server_init(SERVER *server, MEMBER *member, SESSION *sessions, OUTCOME *outcomes, uint32_t slots)
{
    *server = (SERVER){.member = member, .sessions = sessions, .outcomes = outcomes, .slots = slots};
}

int server_is_done(const SERVER *server)
{
    return server->ended == server->slots;
}

int server_is_busy(const SERVER *server)
{
    return server->ended < server->count;
}

static void end(SERVER *server, uint32_t slot, REASON reason)
{
    SESSION *session = &server->sessions[slot];
    session_end(&server->outcomes[slot], reason, session->key);
    wipe(session, sizeof *session);
    server->ended++;
}

/* Saves the transcript hash after hello and challenge in a session, and restores it. */
static void keep(SHA1 *transcript, SESSION *session)
{
    for (unsigned i = 0; i < 5; i++) {
        session->h[i] = transcript->h[i];
    }
    copy_bytes(session->rest, transcript->block, sizeof session->rest);
    wipe(transcript, sizeof *transcript);
}

static void restore(SHA1 *transcript, const SESSION *session)
{
    for (unsigned i = 0; i < 5; i++) {
        transcript->h[i] = session->h[i];
    }
    transcript->length = NOTED_BYTES;
    copy_bytes(transcript->block, session->rest, sizeof session->rest);
}

/* Sends the server's certificate and g_s to a terminal that is not authenticated yet. */
static void challenge(SERVER *server, SESSION *session, const MESSAGE *in, MESSAGE *out)
{
    MEMBER    *member = server->member;
    CHALLENGE *made   = &out->packet.challenge;
    SEAL       how    = {member->parameters->suite, session->key, FROM_SERVER, 0};
    SHA1       transcript;
    out->size   = sizeof *made;
    made->type  = TYPE_CHALLENGE;
    made->suite = (uint8_t)member->parameters->suite;
    copy_bytes(made->q, member->identity->q, POINT_BYTES);
    copy_bytes(made->proof.g, session->g, SALT_BYTES);
    session_prove(member, &how, out->packet.bytes, CHALLENGE_AT);
    sha1_init(&transcript);
    session_note(&transcript, in);
    session_note(&transcript, out);
    keep(&transcript, session);
    session->stage = SERVER_CHALLENGE;
}

static REASON take_hello(SERVER *server, SESSION *session, const MESSAGE *in, MESSAGE *out)
{
    MEMBER      *member = server->member;
    const HELLO *hello  = &in->packet.hello;
    uint8_t     *salt   = out->packet.challenge.salt;
    if (!message_is(in, TYPE_HELLO, sizeof *hello) || hello->suite != member->parameters->suite) {
        return REASON_FORMAT;
    }
    if (!curve_is_usable(hello->q)) {
        return REASON_POINT;
    }
    member_random(member, salt, SALT_BYTES);
    member_random(member, session->g, SALT_BYTES);
    copy_bytes(session->q, hello->q, POINT_BYTES);
    REASON reason = session_agree(member, hello->q, hello->salt, salt, session->z, session->key);
    if (reason == REASON_NONE) {
        challenge(server, session, in, out);
    }
    return reason;
}

/* Sends an empty packet sealed with k_m, which confirms that the server has the key. */
static void accept(SERVER *server, SESSION *session, MESSAGE *out)
{
    uint32_t suite           = server->member->parameters->suite;
    SEAL     how             = {suite, session->key, FROM_SERVER, 0};
    out->size                = SEALED_AT + TAG_BYTES;
    out->packet.sealed.type  = TYPE_ACCEPT;
    out->packet.sealed.suite = (uint8_t)suite;
    seal(&how, out->packet.bytes, SEALED_AT, 0);
    session->stage = SERVER_ACCEPT;
}

static REASON take_response(SERVER *server, SESSION *session, OUTCOME *outcome, MESSAGE *in, MESSAGE *out)
{
    MEMBER   *member   = server->member;
    RESPONSE *response = &in->packet.response;
    SEAL      how      = {member->parameters->suite, session->key, FROM_TERMINAL, 0};
    SHA1      transcript;
    if (!message_is(in, TYPE_RESPONSE, sizeof *response) || response->suite != member->parameters->suite) {
        return REASON_FORMAT;
    }
    /* Hashes the packet as sent, before it is unsealed in place. */
    restore(&transcript, session);
    session_note(&transcript, in);
    REASON reason = session_examine(member, &how, ROLE_TERMINAL, session->q, in->packet.bytes, SEALED_AT, outcome);
    if (reason == REASON_NONE) {
        session_key(session->z, session->g, response->proof.g, &transcript, session->key);
        accept(server, session, out);
    }
    wipe(&transcript, sizeof transcript);
    return reason;
}

/* Sends the application's answer: every byte inverted. */
static void reply(SERVER *server, SESSION *session, const MESSAGE *in, size_t size, MESSAGE *out)
{
    uint32_t suite           = server->member->parameters->suite;
    SEAL     how             = {suite, session->key, FROM_SERVER, 1};
    out->size                = SEALED_AT + size + TAG_BYTES;
    out->packet.sealed.type  = TYPE_REPLY;
    out->packet.sealed.suite = (uint8_t)suite;
    for (size_t i = 0; i < size; i++) {
        out->packet.sealed.data[i] = (uint8_t)~in->packet.sealed.data[i];
    }
    seal(&how, out->packet.bytes, SEALED_AT, size);
}

static REASON take_request(SERVER *server, SESSION *session, MESSAGE *in, MESSAGE *out)
{
    uint32_t suite = server->member->parameters->suite;
    SEAL     how   = {suite, session->key, FROM_TERMINAL, 0};
    size_t   size  = session_data(server->member);
    if (!message_is(in, TYPE_REQUEST, SEALED_AT + size + TAG_BYTES) || in->packet.sealed.suite != suite) {
        return REASON_FORMAT;
    }
    if (!unseal(&how, in->packet.bytes, SEALED_AT, size)) {
        return REASON_SEAL;
    }
    reply(server, session, in, size, out);
    return REASON_NONE;
}

/* Handles a packet of a session, or the hello that begins it. */
static void serve(SERVER *server, uint32_t slot, MESSAGE *in, MESSAGE *out)
{
    SESSION *session = &server->sessions[slot];
    OUTCOME *outcome = &server->outcomes[slot];
    uint8_t  stage   = session->stage;
    REASON   reason;
    if (stage == 0) {
        reason = take_hello(server, session, in, out);
    } else if (stage == SERVER_CHALLENGE) {
        reason = take_response(server, session, outcome, in, out);
    } else {
        reason = take_request(server, session, in, out);
    }
    session->since = clock_cycles();
    if (reason != REASON_NONE) {
        end(server, slot, reason);
        message_refuse(out, in->node, reason);
    } else if (stage == SERVER_ACCEPT) {
        end(server, slot, REASON_NONE);
    }
}

/* Begins a session: a hello takes the next free slot, or is refused. */
static void begin(SERVER *server, MESSAGE *in, MESSAGE *out)
{
    uint32_t slot = server->count;
    if (slot == server->slots) {
        message_refuse(out, in->node, REASON_BUSY);
        return;
    }
    server->count++;
    server->outcomes[slot] = (OUTCOME){.state = STATE_PROGRESS, .peer = in->node};
    wipe(&server->sessions[slot], sizeof server->sessions[slot]);
    serve(server, slot, in, out);
}

/* The last slot of a node, or the number of used slots if it never had one. */
static uint32_t find(const SERVER *server, uint32_t node)
{
    for (uint32_t slot = server->count; slot-- > 0;) {
        if (server->outcomes[slot].peer == node) {
            return slot;
        }
    }
    return server->slots;
}

void server_receive(SERVER *server, MESSAGE *in, MESSAGE *out)
{
    uint32_t slot        = find(server, in->node);
    int      is_known    = slot < server->slots;
    int      in_progress = is_known && server->outcomes[slot].state == STATE_PROGRESS;
    uint8_t  type        = in->packet.bytes[0];
    out->node            = in->node;
    out->size            = 0;
    if (type == TYPE_REFUSE) {
        if (in_progress) {
            end(server, slot, session_refusal(in));
        }
    } else if (in_progress) {
        serve(server, slot, in, out);
    } else if (type == TYPE_HELLO) {
        begin(server, in, out);
    } else if (!is_known) {
        message_refuse(out, in->node, REASON_FORMAT);
    }
}

/* The remaining cycles before a session times out. */
static uint64_t remaining(const SERVER *server, uint32_t slot, uint64_t now)
{
    uint64_t silent   = now - server->sessions[slot].since;
    uint32_t patience = server->member->parameters->patience;
    if (patience == FOR_EVER) {
        return FOR_EVER;
    }
    return silent < patience ? patience - silent : 0;
}

uint32_t server_remaining(const SERVER *server, uint32_t otherwise)
{
    uint64_t now   = clock_cycles();
    uint64_t least = server_is_busy(server) ? FOR_EVER : otherwise;
    for (uint32_t slot = 0; slot < server->count; slot++) {
        if (server->outcomes[slot].state == STATE_PROGRESS && remaining(server, slot, now) < least) {
            least = remaining(server, slot, now);
        }
    }
    return (uint32_t)least;
}

int server_expire(SERVER *server, MESSAGE *out)
{
    uint64_t now = clock_cycles();
    for (uint32_t slot = 0; slot < server->count; slot++) {
        if (server->outcomes[slot].state == STATE_PROGRESS && remaining(server, slot, now) == 0) {
            end(server, slot, REASON_TIMEOUT);
            message_refuse(out, server->outcomes[slot].peer, REASON_TIMEOUT);
            return 1;
        }
    }
    return 0;
}
