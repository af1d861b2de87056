/* What server and terminal do alike in a session. */

#ifndef SESSION_H
#define SESSION_H

#include "member.h"
#include "seal.h"
#include "sha1.h"

/* ECDH with the other's public key, z (20 bytes), and from it K_0, which seals challenge and response. */
REASON session_agree(const MEMBER *member, const uint8_t q[POINT_BYTES], const uint8_t salt_u[SALT_BYTES],
                     const uint8_t salt_s[SALT_BYTES], uint8_t z[KEY_BYTES], uint8_t key[KEY_BYTES]);

/* Fills in the own certificate, and seals it with g as it stands there. */
void session_prove(const MEMBER *member, const SEAL *how, uint8_t *packet, size_t at);

/* Unseals the other's and looks at its certificate, which must be for that role; notes its name. */
REASON session_examine(const MEMBER *member, const SEAL *how, uint32_t role, const uint8_t q[POINT_BYTES],
                       uint8_t *packet, size_t at, OUTCOME *outcome);

/* k_m, of z, both challenges and h, the hash of all packets so far; the transcript ends with that. */
void session_key(const uint8_t z[KEY_BYTES], const uint8_t g_s[SALT_BYTES], const uint8_t g_u[SALT_BYTES],
                 SHA1 *transcript, uint8_t key[KEY_BYTES]);

/* Adds a packet as it is sent to what is hashed. */
void session_note(SHA1 *transcript, const MESSAGE *message);

/* A session's end, with or without the key; a reason that is none opens it. */
void session_end(OUTCOME *outcome, REASON reason, const uint8_t key[KEY_BYTES]);

/* The reason in a refusal that came in, which ends a session. */
REASON session_refusal(const MESSAGE *in);

/* Bytes of application data in each direction. */
size_t session_data(const MEMBER *member);

#endif
