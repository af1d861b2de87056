/* The mutual-authentication network: parameters, outcomes and packets of nodes.
 *
 * Source of the protocol: Hau, Khalil-Hani and Marsono (2011), section 2, after Aydos and others; README.md lists
 * what is added to it. Numbers in packets are big-endian, and points are x followed by y. */

#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

enum { ROLE_CA = 0, ROLE_SERVER = 1, ROLE_TERMINAL = 2, ROLE_TEST = 3 };
enum { SUITE_XOR = 0, SUITE_AES = 1, SUITE_ASCON = 2 };

enum {
    KEY_BYTES    = 20,
    POINT_BYTES  = 40,
    NUMBER_BYTES = 21, /* modulo the order of 161 bits */
    NAME_BYTES   = 8,
    SALT_BYTES   = 16,
    TAG_BYTES    = 16,
    SEED_BYTES   = 20,
    MAX_DATA     = 1024,
    MAX_PACKET   = 2 + MAX_DATA + TAG_BYTES,
    MAX_SESSIONS = 1024,
};

/* No time limit, for `patience` and `idle`. */
#define FOR_EVER 0xffffffffu

/* Written by the host before the run, as little-endian words. */
typedef struct {
    uint32_t role;
    uint32_t suite;
    uint32_t ca;          /* node number of the CA                                                */
    uint32_t peer;        /* of a terminal: node number of its server                             */
    uint32_t patience;    /* cycles that a node waits for an answer                               */
    uint32_t idle;        /* cycles without a packet after which a CA or server ends              */
    uint32_t sessions;    /* certificates of a CA, sessions of a server, after which it ends      */
    uint32_t now;         /* seconds since 1970 at reset                                          */
    uint32_t clock_hz;    /* cycles in a second                                                   */
    uint32_t expiry;      /* of a CA: expiry of its certificates, in seconds since 1970           */
    uint32_t size;        /* bytes of application data in each direction, at most MAX_DATA        */
    uint32_t start;       /* cycles from a terminal's identity to its hello                       */
    uint32_t provisioned; /* not 0: the host has written `identity`                               */
    uint8_t  seed[SEED_BYTES];
} PARAMETERS;

typedef struct {
    uint8_t name[NAME_BYTES]; /* the temporary identity: role, node (2), random (5) */
    uint8_t expiry[4];
    uint8_t r[NUMBER_BYTES];
    uint8_t s[NUMBER_BYTES];
} CERTIFICATE;

/* The identity of a node; a CA has only the first two fields. */
typedef struct {
    uint8_t     d[NUMBER_BYTES]; /* private key                 */
    uint8_t     q[POINT_BYTES];  /* public key                  */
    uint8_t     ca[POINT_BYTES]; /* the public key of the CA    */
    CERTIFICATE certificate;
} IDENTITY;

typedef enum { STATE_NONE, STATE_PROGRESS, STATE_OPEN, STATE_REFUSED } STATE;

typedef enum {
    REASON_NONE,
    REASON_TIMEOUT,   /* no packet in time                                                      */
    REASON_FORMAT,    /* wrong type, length or suite, or a packet that does not belong here     */
    REASON_POINT,     /* a public key that is not a valid point                                 */
    REASON_SEAL,      /* a wrong tag                                                            */
    REASON_ROLE,      /* a certificate for another role                                         */
    REASON_EXPIRED,   /* an expired certificate                                                 */
    REASON_RANGE,     /* r or s is 0 or not below the order                                     */
    REASON_SIGNATURE, /* not signed by the CA over this content                                 */
    REASON_PEER,      /* the peer refused                                                       */
    REASON_BUSY,      /* no free slot                                                           */
} REASON;

/* The outcome of a session, an enrolment, or, in a CA, a certificate. */
typedef struct {
    uint32_t state;
    uint32_t reason;
    uint32_t peer;
    uint8_t  name[NAME_BYTES]; /* of the peer, once its certificate is verified */
    uint8_t  key[KEY_BYTES];   /* k_m of an open session, else all 0            */
} OUTCOME;

enum {
    TYPE_ENROL       = 0x01,
    TYPE_CERTIFICATE = 0x02,
    TYPE_HELLO       = 0x11,
    TYPE_CHALLENGE   = 0x12,
    TYPE_RESPONSE    = 0x13,
    TYPE_ACCEPT      = 0x14,
    TYPE_REQUEST     = 0x15,
    TYPE_REPLY       = 0x16,
    TYPE_REFUSE      = 0x1f,
};

/* All fields of packets are bytes, so that structures have no padding. */
typedef struct {
    uint8_t type, role, q[POINT_BYTES];
} ENROL;

typedef struct {
    uint8_t     type, ca[POINT_BYTES];
    CERTIFICATE certificate;
} CERTIFIED;

typedef struct {
    uint8_t type, suite, salt[SALT_BYTES], q[POINT_BYTES];
} HELLO;

/* The sealed part of challenge and response: C_0 and C_1 of the paper. */
typedef struct {
    CERTIFICATE certificate;
    uint8_t     g[SALT_BYTES]; /* g_s or g_u */
} PROOF;

typedef struct {
    uint8_t type, suite, salt[SALT_BYTES], q[POINT_BYTES];
    PROOF   proof;
    uint8_t tag[TAG_BYTES];
} CHALLENGE;

typedef struct {
    uint8_t type, suite;
    PROOF   proof;
    uint8_t tag[TAG_BYTES];
} RESPONSE;

/* The packets accept, request and reply. */
typedef struct {
    uint8_t type, suite, data[MAX_DATA + TAG_BYTES];
} SEALED;

typedef struct {
    uint8_t type, reason;
} REFUSE;

typedef union {
    uint8_t   bytes[MAX_PACKET];
    ENROL     enrol;
    CERTIFIED certified;
    HELLO     hello;
    CHALLENGE challenge;
    RESPONSE  response;
    SEALED    sealed;
    REFUSE    refuse;
} PACKET;

enum { SEALED_AT = offsetof(SEALED, data), CHALLENGE_AT = offsetof(CHALLENGE, proof) };

_Static_assert(sizeof(PARAMETERS) == 72 && sizeof(IDENTITY) == 155 && sizeof(OUTCOME) == 40, "as hosts know them");
_Static_assert(sizeof(CERTIFIED) == 95 && sizeof(HELLO) == 58 && sizeof(CHALLENGE) == 144 &&
                   sizeof(RESPONSE) == 88 && sizeof(PACKET) == MAX_PACKET,
               "packets have no gaps");

/* A packet with its sender or receiver; `size` is 0 if there is no packet. `size` of a received packet may exceed the
 * stored bytes, which is never the case for a valid one. */
typedef struct {
    uint32_t node;
    size_t   size;
    PACKET   packet;
} MESSAGE;

/* Returns 1 if a message has the given type and length. */
static inline int message_is(const MESSAGE *message, uint8_t type, size_t size)
{
    return message->size == size && message->packet.bytes[0] == type;
}

/* Makes a refusal with its reason. */
static inline void message_refuse(MESSAGE *message, uint32_t to, REASON reason)
{
    message->node          = to;
    message->size          = sizeof(REFUSE);
    message->packet.refuse = (REFUSE){TYPE_REFUSE, (uint8_t)reason};
}

#endif
