/*
 * Runs single instructions under simavr and prints what they leave: `simavr <mcu> <SRAM's first address>`.
 *
 * Commands on standard input, numbers hexadecimal unless they count:
 *   p image                                     program memory from 0 on, as bytes
 *   w address ...                               decimal addresses in the data space whose bytes are printed
 *   s pc sreg sp rampz eind registers seed      a state; SRAM is filled from the seed
 *   r count                                     so many instructions, a line of output behind each
 *   u cycles                                    until the core sleeps, or so many cycles; a line of output
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

enum { REGISTERS = 32, WATCHED = 16, SPL = 0x5d, SPH = 0x5e, SREG = 0x5f };

static unsigned watched[WATCHED];
static unsigned count;
static avr_cycle_count_t start;

static void silent(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static uint64_t digest(const uint8_t *bytes, unsigned size)
{
    uint64_t sum = 0;
    for (unsigned at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum = sum << 23 | sum >> 41;
    }
    return sum;
}

static void set(avr_t *avr, const char *line, unsigned first)
{
    char registers[2 * REGISTERS + 1];
    unsigned pc, status, stack, rampz, eind, seed;
    if (sscanf(line, "s %x %x %x %x %x %64s %x", &pc, &status, &stack, &rampz, &eind, registers, &seed) != 7)
        exit(2);
    avr->pc = pc;
    SET_SREG_FROM(avr, status);
    avr->data[SREG] = (uint8_t)status;
    avr->data[SPL] = (uint8_t)stack;
    avr->data[SPH] = (uint8_t)(stack >> 8);
    if (avr->rampz)
        avr->data[avr->rampz] = (uint8_t)rampz;
    if (avr->eind)
        avr->data[avr->eind] = (uint8_t)eind;
    for (int at = 0; at < REGISTERS; at++) {
        unsigned byte;
        sscanf(registers + 2 * at, "%2x", &byte);
        avr->data[at] = (uint8_t)byte;
    }
    for (unsigned at = first; at <= avr->ramend; at++) {
        seed = seed * 1664525u + 1013904223u;
        avr->data[at] = (uint8_t)(seed >> 24);
    }
    start = avr->cycle;
}

static void print(avr_t *avr, unsigned first)
{
    unsigned status = 0;
    READ_SREG_INTO(avr, status);
    printf("%06x %02x %02x%02x %02x %02x ", (unsigned)(avr->pc & avr->flashend), status, avr->data[SPH],
           avr->data[SPL], avr->rampz ? avr->data[avr->rampz] : 0, avr->eind ? avr->data[avr->eind] : 0);
    for (int at = 0; at < REGISTERS; at++)
        printf("%02x", avr->data[at]);
    putchar(' ');
    for (unsigned at = 0; at < count; at++)
        printf("%02x", avr->data[watched[at]]);
    unsigned size = avr->ramend + 1u - first;
    printf(" %016llx %llu\n", (unsigned long long)digest(avr->data + first, size),
           (unsigned long long)(avr->cycle - start));
}

static void load(avr_t *avr, const char *image)
{
    for (unsigned at = 0; image[0] > ' ' && image[1] > ' '; at++, image += 2) {
        unsigned byte;
        sscanf(image, "%2x", &byte);
        avr->flash[at] = (uint8_t)byte;
    }
}

static void watch(char *line)
{
    count = 0;
    for (char *word = strtok(line, " \n"); word && count < WATCHED; word = strtok(NULL, " \n"))
        watched[count++] = (unsigned)strtoul(word, NULL, 10);
}

static void until_asleep(avr_t *avr, avr_cycle_count_t cycles)
{
    avr->state = cpu_Running;
    while (avr->state == cpu_Running && avr->cycle - start < cycles) {
        avr->run_cycle_count = 1000;
        avr->pc = avr_run_one(avr);
    }
}

int main(int arguments, char **words)
{
    avr_t *avr = arguments == 3 ? avr_make_mcu_by_name(words[1]) : NULL;
    if (avr == NULL)
        return 2;
    avr_global_logger_set(silent);
    avr_init(avr);
    unsigned first = (unsigned)strtoul(words[2], NULL, 0);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        switch (line[0]) {
        case 'p':
            load(avr, line + 2);
            break;
        case 'w':
            watch(line + 2);
            break;
        case 's':
            set(avr, line, first);
            break;
        case 'u':
            until_asleep(avr, strtoull(line + 2, NULL, 10));
            print(avr, first);
            break;
        default:
            for (long left = strtol(line + 2, NULL, 10); left > 0; left--) {
                /* No further instruction is run within one call. */
                avr->run_cycle_count = 1;
                avr->state = cpu_Running;
                avr->pc = avr_run_one(avr);
                print(avr, first);
            }
        }
    }
    free(line);
    return 0;
}
