/*
 * Runs a program on simavr, as its own command does, until the program sleeps without interrupts:
 * `simavr <mcu> <image> <entry> <address>`, the image from the beginning of flash memory on, as bytes.
 *
 * It begins at the entry, as ours does. Prints the cycles, the seconds without simavr's own start-up, and the
 * four bytes at the address in the data space.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <simavr/sim_avr.h>

static void silent(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

/* Processor time, which on a quiet host is the time that passes: the program has one thread. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int load(avr_t *avr, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    size_t read = fread(avr->flash, 1, avr->flashend + 1, file);
    fclose(file);
    return read > 0;
}

int main(int arguments, char **words)
{
    avr_t *avr = arguments == 5 ? avr_make_mcu_by_name(words[1]) : NULL;
    if (avr == NULL)
        return 2;
    avr_global_logger_set(silent);
    avr_init(avr);
    if (!load(avr, words[2]))
        return 2;
    avr->pc = (avr_flashaddr_t)strtoul(words[3], NULL, 0);
    const uint8_t *checksum = avr->data + strtoul(words[4], NULL, 0);
    double started = now();
    int state;
    do
        state = avr_run(avr);
    while (state != cpu_Done && state != cpu_Crashed);
    double seconds = now() - started;
    printf("%llu %.6f %02x%02x%02x%02x\n", (unsigned long long)avr->cycle, seconds, checksum[0], checksum[1],
           checksum[2], checksum[3]);
    return state == cpu_Crashed;
}
