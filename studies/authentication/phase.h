/* Marks that attribute cycles to computations, which do not nest: each has a mark at its start and one at its end. */

#ifndef PHASE_H
#define PHASE_H

#include "cocrypt/device.h"

typedef enum {
    MARK_IDLE,
    MARK_KEY,     /* a key pair                          */
    MARK_SIGN,
    MARK_HASH,
    MARK_AGREE,   /* ECDH                                */
    MARK_VERIFY,
    MARK_DERIVE,  /* keys from secrets                   */
    MARK_SEAL,
    MARK_UNSEAL,
    MARK_SEND,
    MARK_RECEIVE,
    MARK_RANDOM,
} PHASE;

static inline void phase(PHASE mark)
{
    device_write(COCRYPT_MARKS, (uint32_t)mark);
}

#endif
