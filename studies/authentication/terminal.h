/* A user's terminal. */

#ifndef TERMINAL_H
#define TERMINAL_H

#include "session.h"

typedef enum { TERMINAL_HELLO, TERMINAL_RESPONSE, TERMINAL_REQUEST, TERMINAL_ENDED } TERMINAL_STAGE;

typedef struct {
    MEMBER        *member;
    OUTCOME       *outcome;
    TERMINAL_STAGE stage; /* last packet sent */
    uint8_t        salt[SALT_BYTES];
    uint8_t        key[KEY_BYTES]; /* k_m after the response is sent */
    SHA1           transcript;
} TERMINAL;

/* Makes the hello to the terminal's server. Draws salt_u (16). */
void terminal_start(TERMINAL *terminal, MEMBER *member, OUTCOME *outcome, MESSAGE *out);

/* Answers a packet of the server. For an accepted challenge it draws g_u (16). */
void terminal_receive(TERMINAL *terminal, MESSAGE *in, MESSAGE *out);

/* Ends the session with a timeout. */
void terminal_give_up(TERMINAL *terminal, MESSAGE *out);

#endif
