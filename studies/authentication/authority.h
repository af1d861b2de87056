/* The certificate authority. */

#ifndef AUTHORITY_H
#define AUTHORITY_H

#include "member.h"

/* Answers a packet; returns 1 if with a certificate, which it then notes. Draws for each: the name's random bytes
 * (5), the nonce k. */
int authority_receive(MEMBER *ca, const MESSAGE *in, MESSAGE *out, OUTCOME *outcome);

#endif
