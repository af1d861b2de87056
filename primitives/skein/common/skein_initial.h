/* The chaining value after the configuration block (appendix B of the paper). */

#ifndef SKEIN_INITIAL_H
#define SKEIN_INITIAL_H

#include "skein.h"

static const uint64_t initial[SKEIN_WORDS] = {
#if SKEIN_BYTES == 32
    0xfc9da860d048b449, 0x2fca66479fa7d833, 0xb33bc3896656840f, 0x6a54e920fde8da69,
#else
    0x4903adff749c51ce, 0x0d95de399746df03, 0x8fd1934127c79bce, 0x9a255629ff352cb1,
    0x5db62599df6ca7b0, 0xeabe394ca9d5c3f4, 0x991112c71a75b523, 0xae18a40b660fcc33,
#endif
};

#endif
