/* Calls a subroutine in the GNU simulator of RL78: `call BEGIN END RAM RAM_END`, where the addresses are of the first
 * instruction, of the one at which to stop, and of RAM. Standard input has flash memory from address 0 on in its first
 * line, and the bytes of RAM before a call in each further one; the bytes afterwards are printed. */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 0xffee0, END = 0x100000 };

extern int rl78_in_gdb, pc;
extern unsigned char memory[];
extern jmp_buf decode_jmp_buf;
extern void init_cpu(void);
extern int decode_opcode(void);

static void put(const char *line, int at) {
    unsigned byte;
    for (; sscanf(line, "%2x", &byte) == 1; line += 2) memory[at++] = (unsigned char)byte;
}

static void print(int at, int end) {
    for (; at < end; at++) printf("%02x", memory[at]);
    putchar('\n');
}

/* Returns 0 if an instruction stops the simulator. */
static int run(int begin, int end) {
    pc = begin;
    if (setjmp(decode_jmp_buf)) return 0;
    while (pc != end) decode_opcode();
    return 1;
}

int main(int argc, char **argv) {
    static char line[1 << 18];
    int         places[4];
    if (argc != 5) return 1;
    for (int word = 0; word < 4; word++) places[word] = (int)strtol(argv[1 + word], NULL, 0);
    init_cpu();
    rl78_in_gdb = 0;
    if (!fgets(line, sizeof line, stdin)) return 1;
    put(line, 0);
    while (fgets(line, sizeof line, stdin)) {
        memset(memory + REGISTERS, 0, END - REGISTERS);
        put(line, places[2]);
        if (!run(places[0], places[1])) return 1;
        print(places[2], places[3]);
    }
    return 0;
}
