/* A node of the mutual-authentication network: CA, server or terminal, depending on its parameters. */

#include "authority.h"
#include "clock.h"
#include "cocrypt/link.h"
#include "curve.h"
#include "handshake.h"
#include "phase.h"
#include "server.h"
#include "terminal.h"

/* Places variables that the host writes before the start in .data, which the start-up code does not clear. */
#define WRITTEN __attribute__((section(".data")))

/* A number that no node has. */
#define NOBODY 0xffffffffu

/* Defaults if no host writes the parameters: the whole protocol in one program. */
WRITTEN PARAMETERS parameters = {
    .role     = ROLE_TEST,
    .suite    = SUITE_XOR,
    .peer     = 1,
    .patience = FOR_EVER,
    .idle     = FOR_EVER,
    .sessions = 1,
    .now      = 1300000000,
    .clock_hz = 50000000,
    .expiry   = 1400000000,
    .size     = 64,
    .seed     = "cocrypt node seed 1",
};
WRITTEN IDENTITY identity;

OUTCOME outcomes[MAX_SESSIONS];
uint8_t output[2 * KEY_BYTES];

static SESSION sessions[MAX_SESSIONS];

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The time in seconds since 1970, saturated to 32 bits. */
static uint32_t seconds(void)
{
    uint64_t passed = parameters.clock_hz == 0 ? 0 : clock_cycles() / parameters.clock_hz;
    return (uint32_t)least(parameters.now + passed, 0xffffffffu);
}

/* Receives the next packet; waits at most `cycles`. */
static int receive(MEMBER *member, uint32_t cycles, MESSAGE *in)
{
    in->size = link_wait(cycles);
    if (in->size == 0) {
        return 0;
    }
    phase(MARK_RECEIVE);
    in->node = link_from();
    link_read(in->packet.bytes, in->size < sizeof in->packet ? in->size : sizeof in->packet);
    phase(MARK_IDLE);
    member->now = seconds();
    return 1;
}

static void send(MESSAGE *out)
{
    if (out->size > 0) {
        phase(MARK_SEND);
        link_send(out->node, out->packet.bytes, out->size);
        phase(MARK_IDLE);
        out->size = 0;
    }
}

/* Receives the next packet of a node; drops packets of others. */
static int receive_from(MEMBER *member, uint32_t node, uint32_t cycles, MESSAGE *in)
{
    uint64_t start = clock_cycles();
    uint64_t passed;
    do {
        passed        = clock_cycles() - start;
        uint32_t left = cycles == FOR_EVER ? FOR_EVER : (uint32_t)(cycles - least(passed, cycles));
        if (!receive(member, left, in)) {
            return 0;
        }
    } while (in->node != node && (cycles == FOR_EVER || passed < cycles));
    return in->node == node;
}

/* Enrols at the CA, unless the identity is provisioned. */
static int enrol(MEMBER *member, MESSAGE *in, MESSAGE *out)
{
    REASON reason = REASON_TIMEOUT;
    if (parameters.provisioned) {
        return 1;
    }
    outcomes[0] = (OUTCOME){.state = STATE_PROGRESS, .peer = parameters.ca};
    member_make_keys(member);
    member_enrol(member, out);
    send(out);
    if (receive_from(member, parameters.ca, parameters.patience, in)) {
        reason = member_take_certificate(member, in, &outcomes[0]);
    }
    if (reason == REASON_NONE) {
        outcomes[0] = (OUTCOME){.state = STATE_NONE};
        return 1;
    }
    session_end(&outcomes[0], reason, 0);
    if (in->packet.bytes[0] != TYPE_REFUSE || reason == REASON_TIMEOUT) {
        message_refuse(out, parameters.ca, reason);
        send(out);
    }
    return 0;
}

/* The number of certificates or sessions: as requested, limited by the available slots. */
static uint32_t slots(void)
{
    uint32_t asked = parameters.sessions;
    return asked == 0 || asked > MAX_SESSIONS ? MAX_SESSIONS : asked;
}

static void run_authority(MEMBER *member, MESSAGE *in, MESSAGE *out)
{
    uint32_t issued = 0;
    if (!parameters.provisioned) {
        member_make_keys(member);
    }
    while (issued < slots() && receive(member, parameters.idle, in)) {
        issued += (uint32_t)authority_receive(member, in, out, &outcomes[issued]);
        send(out);
    }
}

static void run_server(MEMBER *member, MESSAGE *in, MESSAGE *out)
{
    SERVER server;
    server_init(&server, member, sessions, outcomes, slots());
    while (!server_is_done(&server)) {
        if (receive(member, server_remaining(&server, parameters.idle), in)) {
            server_receive(&server, in, out);
            send(out);
            wipe(in, sizeof *in);
        } else if (server_is_busy(&server)) {
            while (server_expire(&server, out)) {
                send(out);
            }
        } else {
            return;
        }
    }
}

static void run_terminal(MEMBER *member, MESSAGE *in, MESSAGE *out)
{
    TERMINAL terminal;
    if (parameters.start > 0) {
        (void)receive_from(member, NOBODY, parameters.start, in);
    }
    terminal_start(&terminal, member, &outcomes[0], out);
    send(out);
    while (terminal.stage != TERMINAL_ENDED) {
        if (receive_from(member, parameters.peer, parameters.patience, in)) {
            terminal_receive(&terminal, in, out);
        } else {
            terminal_give_up(&terminal, out);
        }
        send(out);
        wipe(in, sizeof *in);
    }
    wipe(&terminal, sizeof terminal);
}

static void run_node(void)
{
    MEMBER  member;
    MESSAGE in  = {.size = 0};
    MESSAGE out = {.size = 0};
    member_init(&member, &parameters, &identity);
    if (parameters.role == ROLE_CA) {
        run_authority(&member, &in, &out);
    } else if (enrol(&member, &in, &out)) {
        if (parameters.role == ROLE_SERVER) {
            run_server(&member, &in, &out);
        } else {
            run_terminal(&member, &in, &out);
        }
    }
    member_wipe(&member);
    wipe(&in, sizeof in);
    wipe(&out, sizeof out);
}

int main(void)
{
    if (parameters.role == ROLE_TEST) {
        return handshake_run(&parameters, output) ? 0 : 1;
    }
    if (parameters.role > ROLE_TEST || parameters.suite > SUITE_ASCON) {
        return 1;
    }
    run_node();
    return 0;
}
