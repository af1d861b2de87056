/* A room for the states that PyCryptodome's sources keep to themselves. */

#ifndef PEER_STATE_H
#define PEER_STATE_H

#include <stdint.h>

#ifndef PEER_STATE_BYTES
#define PEER_STATE_BYTES 8
#endif

typedef struct {
    uint64_t words[PEER_STATE_BYTES / 8];
} PEER_STATE;

#endif
