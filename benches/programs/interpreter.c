/* An interpreter of a stack machine by a table of functions, with a program that computes primes. */
#include "kernel.h"

typedef struct {
    uint32_t stack[16];
    uint32_t top, counter;
    uint8_t  composite[256];
} Machine;

typedef void Operation(Machine *machine, uint8_t operand);

static void push(Machine *m, uint8_t operand) { m->stack[m->top++] = operand; }
static void add(Machine *m, uint8_t operand) { (void)operand; m->top--; m->stack[m->top - 1] += m->stack[m->top]; }
static void duplicate(Machine *m, uint8_t operand) { m->stack[m->top] = m->stack[m->top - 1 - operand]; m->top++; }
static void drop(Machine *m, uint8_t operand) { m->top -= operand; }
static void mark(Machine *m, uint8_t operand) { (void)operand; m->composite[m->stack[m->top - 1] & 255] = 1; }
static void test(Machine *m, uint8_t operand) { (void)operand; m->stack[m->top] = m->composite[m->stack[m->top - 1] & 255]; m->top++; }
static void below(Machine *m, uint8_t operand) { m->stack[m->top] = m->stack[m->top - 1] < operand; m->top++; }
static void jump(Machine *m, uint8_t operand) { m->counter = operand; }
static void branch(Machine *m, uint8_t operand) { if (m->stack[--m->top]) m->counter = operand; }

static Operation *const operations[] = {push, add, duplicate, drop, mark, test, below, jump, branch};
enum { PUSH, ADD, DUPLICATE, DROP, MARK, TEST, BELOW, JUMP, BRANCH, END };

static const uint8_t sieve[][2] = {
    {PUSH, 2},                                                            /* 0: the factor */
    {BELOW, 16}, {BRANCH, 4}, {END, 0},                                   /* 1 */
    {TEST, 0}, {BRANCH, 15},                                              /* 4 */
    {DUPLICATE, 0}, {DUPLICATE, 1}, {ADD, 0},                             /* 6: the multiple */
    {MARK, 0}, {DUPLICATE, 1}, {ADD, 0}, {BELOW, 250}, {BRANCH, 9},       /* 9 */
    {DROP, 1}, {PUSH, 1}, {ADD, 0}, {JUMP, 1},                            /* 14 */
};

uint32_t kernel(uint32_t rounds)
{
    uint32_t sum = 0;
    while (rounds--) {
        Machine machine = {0};
        while (sieve[machine.counter][0] != END) {
            const uint8_t *instruction = sieve[machine.counter++];
            operations[instruction[0]](&machine, instruction[1]);
        }
        for (uint32_t i = 2; i < 256; i++)
            sum = sum * 31 + machine.composite[i] + i;
    }
    return sum;
}
