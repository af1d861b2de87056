/* An interpreter of a stack machine, run on Euclid's algorithm: a jump through a table per step. */
#include "kernel.h"

enum { PUSH, LOAD, STORE, SUB, LESS, JUMP_IF, JUMP, DIFFERENT, END };

/* while (a != b) { if (a < b) b -= a; else a -= b; } */
static const uint8_t program[] = {
    LOAD, 0, LOAD, 1, DIFFERENT, JUMP_IF, 8, END,
    LOAD, 0, LOAD, 1, LESS, JUMP_IF, 24,
    LOAD, 0, LOAD, 1, SUB, STORE, 0, JUMP, 0,
    LOAD, 1, LOAD, 0, SUB, STORE, 1, JUMP, 0,
};

static uint32_t run(uint32_t a, uint32_t b) {
    uint32_t stack[8], locals[2] = {a, b}, *top = stack;
    for (const uint8_t *pc = program;;) {
        switch (*pc++) {
        case PUSH:      *top++ = *pc++; break;
        case LOAD:      *top++ = locals[*pc++]; break;
        case STORE:     locals[*pc++] = *--top; break;
        case SUB:       top--; top[-1] -= top[0]; break;
        case LESS:      top--; top[-1] = top[-1] < top[0]; break;
        case DIFFERENT: top--; top[-1] = top[-1] != top[0]; break;
        case JUMP_IF:   pc = *--top ? program + *pc : pc + 1; break;
        case JUMP:      pc = program + *pc; break;
        case END:       return locals[0];
        }
    }
}

uint32_t kernel(uint32_t rounds) {
    uint32_t sum = 0;
    for (uint32_t round = 0; round < rounds; round++) sum += run(1071 + (round & 63), 462);
    return sum;
}
