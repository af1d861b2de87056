/* Copies 16 kB word by word, back and forth: loads and stores and little else. Of AVR's memory it takes 2 kB. */
#include "kernel.h"

#ifdef __AVR__
enum { WORDS = 512 };
#else
enum { WORDS = 4096 };
#endif

static uint32_t here[WORDS], there[WORDS];

static void copy(volatile uint32_t *to, const volatile uint32_t *from) {
    for (int i = 0; i < WORDS; i += 4) {
        uint32_t a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
        to[i] = a; to[i + 1] = b; to[i + 2] = c; to[i + 3] = d;
    }
}

uint32_t kernel(uint32_t rounds) {
    for (uint32_t i = 0; i < WORDS; i++) here[i] = i * 2654435761u;
    for (uint32_t round = 0; round < rounds; round++) {
        copy(there, here);
        copy(here, there);
    }
    return here[WORDS - 1];
}
