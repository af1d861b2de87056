/* Pseudorandom bytes for schemes that need random numbers, the same in every run: a permutation of a counter (the
 * finaliser of MurmurHash3). They are for measurements, not for keys. */

#include "randombytes.h"

static uint32_t drawn;

static uint32_t mixed(uint32_t word)
{
    word = (word ^ word >> 16) * 0x85ebca6bu;
    word = (word ^ word >> 13) * 0xc2b2ae35u;
    return word ^ word >> 16;
}

int randombytes(uint8_t *output, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        output[i] = (uint8_t)mixed(++drawn);
    }
    return 0;
}

int PQCLEAN_randombytes(uint8_t *output, size_t size)
{
    return randombytes(output, size);
}
