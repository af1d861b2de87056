/* The certificate authority. */

#ifndef AUTHORITY_H
#define AUTHORITY_H

#include "member.h"

/* Answers a packet; returns 1 if it issued a certificate, and records it in the outcome. For each certificate it draws
 * the random bytes of the name (5), then the nonce k (20). */
int authority_receive(MEMBER *ca, const MESSAGE *in, MESSAGE *out, OUTCOME *outcome);

#endif
