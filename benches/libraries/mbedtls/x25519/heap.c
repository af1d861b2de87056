/* A heap for mbedTLS's numbers, of pieces that are all as large: the least code that does. */

#include <stdint.h>
#include <string.h>

#include "peer_config.h"

enum { PIECES = 48, WORDS = 20 };

static uint64_t pieces[PIECES][WORDS];
static uint8_t  taken[PIECES];

void *peer_calloc(size_t count, size_t size)
{
    for (unsigned index = 0; index < PIECES; index++)
        if (!taken[index] && count * size <= sizeof pieces[index]) {
            taken[index] = 1;
            return memset(pieces[index], 0, count * size);
        }
    return NULL;
}

void peer_free(void *memory)
{
    if (memory)
        taken[(uint64_t (*)[WORDS])memory - pieces] = 0;
}
