/* Steps of a session that server and terminal share. */

#ifndef SESSION_H
#define SESSION_H

#include "member.h"
#include "seal.h"
#include "sha1.h"

/* Computes z (20 bytes) by ECDH with the peer's public key, and from it K_0, which seals challenge and response. */
REASON session_agree(const MEMBER *member, const uint8_t q[POINT_BYTES], const uint8_t salt_u[SALT_BYTES],
                     const uint8_t salt_s[SALT_BYTES], uint8_t z[KEY_BYTES], uint8_t key[KEY_BYTES]);

/* Copies the node's own certificate into the packet, and seals it together with g, which is already there. */
void session_prove(const MEMBER *member, const SEAL *how, uint8_t *packet, size_t at);

/* Unseals the peer's proof, and checks its certificate, which must be for the given role; records its name. */
REASON session_examine(const MEMBER *member, const SEAL *how, uint32_t role, const uint8_t q[POINT_BYTES],
                       uint8_t *packet, size_t at, OUTCOME *outcome);

/* Derives k_m from z, both challenges and h, the hash of all packets so far; finalises the transcript. */
void session_key(const uint8_t z[KEY_BYTES], const uint8_t g_s[SALT_BYTES], const uint8_t g_u[SALT_BYTES],
                 SHA1 *transcript, uint8_t key[KEY_BYTES]);

/* Adds a packet, as sent, to the transcript hash. */
void session_note(SHA1 *transcript, const MESSAGE *message);

/* Records the outcome of a session: open with its key if the reason is REASON_NONE, else refused. */
void session_end(OUTCOME *outcome, REASON reason, const uint8_t key[KEY_BYTES]);

/* The reason for the end of a session by a received refusal. */
REASON session_refusal(const MESSAGE *in);

/* Bytes of application data in each direction. */
size_t session_data(const MEMBER *member);

#endif
