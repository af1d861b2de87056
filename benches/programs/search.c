/* Searches words in a text: by comparison at each place, and by Horspool's table of skips. */
#include "kernel.h"

#include <string.h>

#define SIZE 2048
static char text[SIZE + 1];
static const char *const words[] = {"abacab", "needle", "baab", "cabbage", "acbacbacb"};

static uint32_t naive(const char *word)
{
    uint32_t found = 0;
    size_t   size  = strlen(word);
    for (size_t at = 0; at + size <= SIZE; at++)
        found += memcmp(text + at, word, size) == 0;
    return found;
}

static uint32_t horspool(const char *word)
{
    uint8_t  skip[256];
    uint32_t found = 0;
    size_t   size  = strlen(word);
    memset(skip, (int)size, sizeof skip);
    for (size_t i = 0; i + 1 < size; i++)
        skip[(uint8_t)word[i]] = (uint8_t)(size - 1 - i);
    for (size_t at = 0; at + size <= SIZE; at += skip[(uint8_t)text[at + size - 1]]) {
        size_t i = size;
        while (i > 0 && text[at + i - 1] == word[i - 1])
            i--;
        found += i == 0;
    }
    return found;
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t seed = 3, sum = 0;
    while (rounds--) {
        for (int i = 0; i < SIZE; i++) {
            seed    = seed * 1664525u + 1013904223u;
            text[i] = (char)('a' + (seed >> 24) % 3);
        }
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
            sum = sum * 5 + naive(words[i]) * 3 + horspool(words[i]);
    }
    return sum;
}
