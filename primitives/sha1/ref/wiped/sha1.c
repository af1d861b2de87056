/* SHA-1 as in the standard, followed by wiping its residues. The wrapped functions belong to studies that publish their
 * cycles, and do not return a stack depth. */

#include "sha1.h"
#include "wiping.h"

static void studied_init(SHA1 *state);
static NOINLINE void studied_update(SHA1 *state, const uint8_t *message, size_t size);
static NOINLINE void studied_final(SHA1 *state, uint8_t digest[SHA1_BYTES]);
#define sha1_init   studied_init
#define sha1_update studied_update
#define sha1_final  studied_final
#include "../sha1.c"
#undef sha1_init
#undef sha1_update
#undef sha1_final

STACK_ROOM(room, 256)

void sha1_init(SHA1 *state)
{
    studied_init(state);
}

void sha1_update(SHA1 *state, const uint8_t *message, size_t size)
{
    studied_update(state, message, size);
    wipe_below(room());
}

void sha1_final(SHA1 *state, uint8_t digest[SHA1_BYTES])
{
    studied_final(state, digest);
    wipe_below(room());
}
