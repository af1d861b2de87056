/* A server with several sessions. */

#ifndef SERVER_H
#define SERVER_H

#include "session.h"

typedef enum { SERVER_CHALLENGE = 1, SERVER_ACCEPT } SERVER_STAGE;

/* Bytes hashed before the response, and those of them in the hash's incomplete block. */
enum { NOTED_BYTES = sizeof(HELLO) + sizeof(CHALLENGE), NOTED_REST = NOTED_BYTES % SHA1_BLOCK };

/* A session in progress; its peer and its result are in its outcome. */
typedef struct {
    uint64_t since;            /* cycle of the last message                     */
    uint32_t h[5];             /* hash state after hello and challenge          */
    uint8_t  rest[NOTED_REST]; /* bytes of the hash's incomplete block          */
    uint8_t  stage;            /* last packet sent, 0 for none                  */
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

/* Answers a packet. For a hello with a valid point it draws salt_s (16), then g_s (16). */
void server_receive(SERVER *server, MESSAGE *in, MESSAGE *out);

/* Cycles until the first session in progress times out; `otherwise` if there is none. */
uint32_t server_remaining(const SERVER *server, uint32_t otherwise);

/* Refuses one session that has timed out; returns 0 if there is none. */
int server_expire(SERVER *server, MESSAGE *out);

int server_is_busy(const SERVER *server); /* sessions are in progress       */
int server_is_done(const SERVER *server); /* all expected sessions ended    */

#endif
