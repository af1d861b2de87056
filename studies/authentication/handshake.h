/* The whole protocol within one program, without a link. */

#ifndef HANDSHAKE_H
#define HANDSHAKE_H

#include "protocol.h"

/* A CA, a server (node 1) and a terminal (node 2) with the parameters' suite, times, size, and seeds that differ
 * in their last byte, which is the given one xor the role. Gives k_m of the server, then of the terminal; returns
 * 1 if both sessions are open. */
int handshake_run(const PARAMETERS *parameters, uint8_t keys[2 * KEY_BYTES]);

#endif
