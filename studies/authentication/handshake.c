/* The whole protocol in one program: packets are passed directly between the roles. */

#include "handshake.h"

#include "authority.h"
#include "curve.h"
#include "server.h"
#include "terminal.h"

/* The three roles in one program; a role's number is its node number. */
typedef struct {
    PARAMETERS parameters;
    IDENTITY   identity;
    MEMBER     member;
    OUTCOME    outcome;
} PARTY;

typedef struct {
    PARTY   party[3];
    SESSION session;
    MESSAGE to, from;
} STAGE;

static void make(PARTY *party, const PARAMETERS *parameters, uint32_t role)
{
    PARAMETERS *own = &party->parameters;
    *own            = *parameters;
    own->role       = role;
    own->ca         = ROLE_CA;
    own->peer       = ROLE_SERVER;
    own->seed[SEED_BYTES - 1] ^= (uint8_t)role;
    member_init(&party->member, own, &party->identity);
    member_make_keys(&party->member);
}

static int enrol(STAGE *stage, uint32_t role)
{
    PARTY *party = &stage->party[role];
    member_enrol(&party->member, &stage->to);
    stage->to.node = role;
    if (!authority_receive(&stage->party[ROLE_CA].member, &stage->to, &stage->from, &stage->party[ROLE_CA].outcome)) {
        return 0;
    }
    return member_take_certificate(&party->member, &stage->from, &party->outcome) == REASON_NONE;
}

/* Exchanges the packets from hello to reply, three in each direction. */
static void talk(STAGE *stage)
{
    PARTY   *one = &stage->party[ROLE_SERVER], *other = &stage->party[ROLE_TERMINAL];
    SERVER   server;
    TERMINAL terminal;
    server_init(&server, &one->member, &stage->session, &one->outcome, 1);
    terminal_start(&terminal, &other->member, &other->outcome, &stage->to);
    while (stage->to.size > 0 && !server_is_done(&server)) {
        stage->to.node = ROLE_TERMINAL;
        server_receive(&server, &stage->to, &stage->from);
        if (stage->from.size > 0) {
            stage->from.node = ROLE_SERVER;
            terminal_receive(&terminal, &stage->from, &stage->to);
        }
    }
    wipe(&terminal, sizeof terminal);
}

int handshake_run(const PARAMETERS *parameters, uint8_t keys[2 * KEY_BYTES])
{
    STAGE stage;
    int   done = 1;
    for (uint32_t role = ROLE_CA; role <= ROLE_TERMINAL; role++) {
        make(&stage.party[role], parameters, role);
    }
    for (uint32_t role = ROLE_SERVER; role <= ROLE_TERMINAL && done; role++) {
        done = enrol(&stage, role);
    }
    if (done) {
        talk(&stage);
    }
    for (uint32_t role = ROLE_SERVER; role <= ROLE_TERMINAL && done; role++) {
        done = stage.party[role].outcome.state == STATE_OPEN;
        copy_bytes(keys + KEY_BYTES * (role - ROLE_SERVER), stage.party[role].outcome.key, KEY_BYTES);
    }
    wipe(&stage, sizeof stage);
    return done;
}
