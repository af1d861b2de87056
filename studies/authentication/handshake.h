/* The whole protocol in one program, without a link. */

#ifndef HANDSHAKE_H
#define HANDSHAKE_H

#include "protocol.h"

/* Runs a CA, a server (node 1) and a terminal (node 2) with suite, times and size of `parameters`. Their seeds differ
 * in the last byte, which is XORed with the role. Stores k_m of the server, then of the terminal; returns 1 if both
 * sessions are open. */
int handshake_run(const PARAMETERS *parameters, uint8_t keys[2 * KEY_BYTES]);

#endif
