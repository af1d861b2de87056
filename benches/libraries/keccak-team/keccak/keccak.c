/* The Keccak Team's code for words of 32 bits, as SHA3-256. */

#define KeccakOpt 32
#define KeccakP200_excluded 1
#define KeccakP400_excluded 1
#define KeccakP800_excluded 1

#include "KeccakHash.h"
#include "KeccakSponge.h"

#include "KeccakHash.c"
#include "KeccakSponge.c"
#include "KeccakP-1600-inplace32BI.c"

#include "keccak_team.h"

_Static_assert(sizeof(Keccak_HashInstance) <= sizeof(KECCAK_TEAM), "the state fits");

void sha3_256_init(KECCAK_TEAM *state)
{
    Keccak_HashInitialize((Keccak_HashInstance *)state, 1088, 512, 256, 0x06);
}

void sha3_256_update(KECCAK_TEAM *state, const uint8_t *message, size_t size)
{
    Keccak_HashUpdate((Keccak_HashInstance *)state, message, 8 * size);
}

void sha3_256_final(KECCAK_TEAM *state, uint8_t digest[32])
{
    Keccak_HashFinal((Keccak_HashInstance *)state, digest);
}
