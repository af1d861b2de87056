/* secp160r1: SEC 2, version 1.0, section 2.4.2. The cofactor is 1. */

#include "domain.h"

const DOMAIN secp160r1 = {
    .p = {{0x7fffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0}},
    .a = {{0x7ffffffc, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0}},
    .b = {{0xc565fa45, 0x81d4d4ad, 0x65acf89f, 0x54bd7a8b, 0x1c97befc, 0}},
    .g = {
        .x = {{0x13cbfc82, 0x68c38bb9, 0x46646989, 0x8ef57328, 0x4a96b568, 0}},
        .y = {{0x7ac5fb32, 0x04235137, 0x59dcc912, 0x3168947d, 0x23a62855, 0}},
        .infinity = 0,
    },
    .n = {{0xca752257, 0xf927aed3, 0x0001f4c8, 0x00000000, 0x00000000, 1}},
};
