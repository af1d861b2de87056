/* A compressor by repetitions (LZ77 with a table of hashes), and its decompressor. */
#include "kernel.h"

#define SIZE 2048
#define HASHES 512
static uint8_t  plain[SIZE], packed[SIZE * 2], unpacked[SIZE];
static uint16_t last[HASHES];

static uint32_t hash(const uint8_t *at)
{
    return ((uint32_t)at[0] * 2654435761u ^ (uint32_t)at[1] * 40503u ^ at[2] * 97u) >> 3 & (HASHES - 1);
}

static uint32_t compress(void)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < HASHES; i++)
        last[i] = 0;
    for (uint32_t at = 0; at < SIZE;) {
        uint32_t length = 0, from = 0;
        if (at + 3 < SIZE) {
            uint16_t *entry = &last[hash(plain + at)];
            from   = *entry;
            *entry = (uint16_t)at;
            if (from < at && at - from < 256)
                while (length < 127 && at + length < SIZE && plain[from + length] == plain[at + length])
                    length++;
        }
        if (length >= 3) {
            packed[size++] = (uint8_t)(0x80 | length);
            packed[size++] = (uint8_t)(at - from);
            at += length;
        } else {
            packed[size++] = plain[at++] & 0x7f;
        }
    }
    return size;
}

static void decompress(uint32_t size)
{
    uint32_t to = 0;
    for (uint32_t at = 0; at < size;) {
        uint8_t head = packed[at++];
        if (head & 0x80) {
            uint32_t from = to - packed[at++];
            for (uint32_t left = head & 0x7f; left; left--)
                unpacked[to++] = unpacked[from++];
        } else {
            unpacked[to++] = head;
        }
    }
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t seed = 9, sum = 0;
    while (rounds--) {
        for (uint32_t i = 0; i < SIZE; i++) {
            seed     = seed * 1664525u + 1013904223u;
            plain[i] = i > 64 && seed >> 30 ? plain[i - 23] : (uint8_t)(seed >> 26 & 0x3f);
        }
        uint32_t size = compress();
        decompress(size);
        for (uint32_t i = 0; i < SIZE; i++)
            sum = sum * 3 + (uint32_t)(unpacked[i] ^ plain[i]) + size;
    }
    return sum;
}
