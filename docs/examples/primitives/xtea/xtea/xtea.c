/* XTEA: 64 rounds of a Feistel cipher, in place. */

#include "xtea.h"

#define DELTA 0x9e3779b9u

static uint32_t load(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void store(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(word >> (24 - 8 * i));
    }
}

static uint32_t mixed(uint32_t half)
{
    return (half << 4 ^ half >> 5) + half;
}

void xtea_set_key(XTEA_KEY *schedule, const uint8_t key[16])
{
    for (unsigned i = 0; i < 4; i++) {
        schedule->k[i] = load(key + 4 * i);
    }
}

void xtea_encipher(const XTEA_KEY *schedule, uint8_t block[8])
{
    uint32_t left = load(block), right = load(block + 4), sum = 0;
    for (unsigned round = 0; round < 32; round++) {
        left += mixed(right) ^ (sum + schedule->k[sum & 3]);
        sum += DELTA;
        right += mixed(left) ^ (sum + schedule->k[sum >> 11 & 3]);
    }
    store(block, left);
    store(block + 4, right);
}

void xtea_decipher(const XTEA_KEY *schedule, uint8_t block[8])
{
    uint32_t left = load(block), right = load(block + 4), sum = 32 * DELTA;
    for (unsigned round = 0; round < 32; round++) {
        right -= mixed(left) ^ (sum + schedule->k[sum >> 11 & 3]);
        sum -= DELTA;
        left -= mixed(right) ^ (sum + schedule->k[sum & 3]);
    }
    store(block, left);
    store(block + 4, right);
}
