/* A user's terminal. */

#ifndef TERMINAL_H
#define TERMINAL_H

#include "session.h"

typedef enum { TERMINAL_HELLO, TERMINAL_RESPONSE, TERMINAL_REQUEST, TERMINAL_ENDED } TERMINAL_STAGE;

typedef struct {
    MEMBER        *member;
    OUTCOME       *outcome;
    TERMINAL_STAGE stage; /* what it has sent */
    uint8_t        salt[SALT_BYTES];
    uint8_t        key[KEY_BYTES]; /* k_m, once the response is sent */
    SHA1           transcript;
} TERMINAL;

/* Says hello to its server. Draws salt_u (16). */
void terminal_start(TERMINAL *terminal, MEMBER *member, OUTCOME *outcome, MESSAGE *out);

/* Answers a packet of its server. Draws g_u (16) for a challenge that is accepted. */
void terminal_receive(TERMINAL *terminal, MESSAGE *in, MESSAGE *out);

/* Gives up waiting. */
void terminal_give_up(TERMINAL *terminal, MESSAGE *out);

#endif
