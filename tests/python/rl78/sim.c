/* Runs instructions in the GNU simulator of RL78: `sim g10|g13|g14`, with the commands of rl78_evaluate.rs on
 * standard input. It is linked with the simulator's library, of which these are the functions and variables. */

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X = 1, SP = 13, PSW = 14, CS = 15, ES = 16, PMC = 17 };

extern int rl78_g10_mode, g13_multiply, g14_multiply, rl78_in_gdb, pc, pending_clocks;
extern long long total_clocks;
extern unsigned char memory[];
extern jmp_buf decode_jmp_buf;
extern void init_cpu(void);
extern int decode_opcode(void);
extern int get_reg(int number);
extern int set_reg(int number, int value);

#define RAM 0xf8000
#define RAM_END 0xffee0
#define REGISTERS 0xffee0
#define REGISTERS_END 0xfff00
#define ACCUMULATOR 0xffff0
#define MASKS 0xfffe4

static void fill(uint32_t seed) {
    for (int at = RAM; at < RAM_END; at++) {
        seed       = seed * 1664525u + 1013904223u;
        memory[at] = (unsigned char)(seed >> 24);
    }
}

static uint64_t digest(void) {
    uint64_t value = 0;
    for (int at = RAM; at < RAM_END; at += 8) {
        uint64_t word;
        memcpy(&word, memory + at, 8);
        value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        value = value << 23 | value >> 41;
    }
    return value;
}

/* Bank 0 is the last one in memory, and the first one here. */
static int bank(int at) { return REGISTERS + (3 - at / 8) * 8 + at % 8; }

static unsigned hex(const char *text, int digits) {
    char part[9] = {0};
    memcpy(part, text, (size_t)digits);
    return (unsigned)strtoul(part, NULL, 16);
}

static void set(char *line) {
    unsigned at, status, stack, extra, code, accumulator, seed;
    char     registers[65];
    sscanf(line, "%x %x %x %x %x %x %64s %x", &at, &status, &stack, &extra, &code, &accumulator, registers, &seed);
    pc = (int)at;
    for (int number = 0; number < 32; number++) memory[bank(number)] = (unsigned char)hex(registers + 2 * number, 2);
    set_reg(PSW, (int)status);
    set_reg(SP, (int)stack);
    set_reg(ES, (int)extra);
    set_reg(CS, (int)code);
    for (int byte = 0; byte < 4; byte++) memory[ACCUMULATOR + byte] = (unsigned char)(accumulator >> 8 * byte);
    memset(memory + MASKS, 0xff, 4);
    fill(seed);
    total_clocks   = 0;
    pending_clocks = 0;
}

static void print(void) {
    unsigned accumulator;
    memcpy(&accumulator, memory + ACCUMULATOR, 4);
    printf("%05x %02x %04x %x %x %08x ", (unsigned)pc, (unsigned)get_reg(PSW), (unsigned)get_reg(SP),
           (unsigned)get_reg(ES), (unsigned)get_reg(CS), accumulator);
    for (int number = 0; number < 32; number++) printf("%02x", memory[bank(number)]);
    printf(" %016llx %lld\n", (unsigned long long)digest(), total_clocks);
}

static void run(long count) {
    while (count-- > 0) {
        if (setjmp(decode_jmp_buf)) {
            printf("stopped at %05x\n", (unsigned)pc);
            return;
        }
        decode_opcode();
        print();
    }
}

int main(int argc, char **argv) {
    static char line[1 << 21];
    init_cpu();
    memset(memory + REGISTERS_END, 0, MASKS - REGISTERS_END);
    rl78_in_gdb   = 0;
    rl78_g10_mode = argc > 1 && !strcmp(argv[1], "g10");
    g14_multiply  = argc > 1 && !strcmp(argv[1], "g14");
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'p')
            for (int at = 0; line[2 + 2 * at] > ' '; at++) memory[at] = (unsigned char)hex(line + 2 + 2 * at, 2);
        if (line[0] == 's') set(line + 2);
        if (line[0] == 'r') run(atol(line + 2));
    }
    return 0;
}
