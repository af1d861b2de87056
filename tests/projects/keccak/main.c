/* SHA3-256 of the message of FIPS 202's examples, "abc". */

#include "KeccakHash.h"

unsigned char output[32];

int main(void)
{
    static Keccak_HashInstance hash;
    Keccak_HashInitialize_SHA3_256(&hash);
    Keccak_HashUpdate(&hash, (const unsigned char *)"abc", 24);
    Keccak_HashFinal(&hash, output);
    return 0;
}
