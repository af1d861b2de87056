/* A server of many sessions. */

#ifndef SERVER_H
#define SERVER_H

#include "session.h"

typedef enum { SERVER_CHALLENGE = 1, SERVER_ACCEPT } SERVER_STAGE;

/* The packets that are hashed before the response, and what they leave in the hash's block. */
enum { NOTED_BYTES = sizeof(HELLO) + sizeof(CHALLENGE), NOTED_REST = NOTED_BYTES % SHA1_BLOCK };

/* What a session in progress needs; its peer and state stand in its outcome. */
typedef struct {
    uint64_t since;            /* cycle of its last message                     */
    uint32_t h[5];             /* the hash of hello and challenge ...           */
    uint8_t  rest[NOTED_REST]; /* ... and those of their bytes that wait for it */
    uint8_t  stage;            /* what was sent, 0 for nothing                  */
    uint8_t  key[KEY_BYTES];   /* K_0, later k_m                                */
    uint8_t  z[KEY_BYTES];
    uint8_t  q[POINT_BYTES];   /* the terminal's public key                     */
    uint8_t  g[SALT_BYTES];    /* g_s                                           */
} SESSION;

typedef struct {
    MEMBER  *member;
    SESSION *sessions;
    OUTCOME *outcomes;
    uint32_t slots; /* of both */
    uint32_t count; /* used    */
    uint32_t ended;
} SERVER;

void server_init(SERVER *server, MEMBER *member, SESSION *sessions, OUTCOME *outcomes, uint32_t slots);

/* Answers a packet. Draws salt_s (16) and g_s (16) for a hello whose point is good. */
void server_receive(SERVER *server, MESSAGE *in, MESSAGE *out);

/* Cycles until the first session in progress has been silent for too long; `otherwise` where there is none. */
uint32_t server_remaining(const SERVER *server, uint32_t otherwise);

/* Refuses one session that has been silent for too long; returns 0 where there is none. */
int server_expire(SERVER *server, MESSAGE *out);

int server_is_busy(const SERVER *server); /* sessions are in progress       */
int server_is_done(const SERVER *server); /* all that it was to serve ended */

#endif
