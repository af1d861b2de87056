/* What a program may ask of its host through the C library: arguments, console, files, heap, time, exit code. What it
 * prints is the same wherever it runs. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A call to the host, as the C library makes them. */
static int ask(int number, const void *block)
{
#if defined(__riscv)
    register int         call __asm__("a0") = number;
    register const void *with __asm__("a1") = block;
    __asm__ volatile(
        ".option push\n.option norvc\n.balign 16\n"
        "slli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n.option pop"
        : "+r"(call)
        : "r"(with)
        : "memory");
#else
    register int         call __asm__("r0") = number;
    register const void *with __asm__("r1") = block;
#if __ARM_ARCH_PROFILE == 'M'
    __asm__ volatile("bkpt 0xab" : "+r"(call) : "r"(with) : "memory");
#elif defined(__thumb__)
    __asm__ volatile("svc 0xab" : "+r"(call) : "r"(with) : "memory", "lr");
#else
    __asm__ volatile("svc 0x123456" : "+r"(call) : "r"(with) : "memory", "lr");
#endif
#endif
    return call;
}

static int initialised = 42;
static int cleared[4];

__attribute__((constructor)) static void construct(void)
{
    cleared[1] += 5;
}

static void files(void)
{
    char  line[64];
    FILE *file = fopen("notes.txt", "w");
    if (file == NULL) {
        printf("no files, errno %d\n", errno);
        return;
    }
    fprintf(file, "first %d\nsecond line\n", initialised);
    fclose(file);
    file = fopen("notes.txt", "a");
    fputs("third\n", file);
    fclose(file);
    file = fopen("notes.txt", "r+");
    fseek(file, 0, SEEK_END);
    printf("%ld bytes\n", ftell(file));
    fseek(file, 9, SEEK_SET);
    printf("then %s", fgets(line, sizeof line, file));
    fseek(file, 0, SEEK_SET);
    fputs("FIRST", file);
    fclose(file);
    const char *const names[] = { "notes.txt", (char *)9, "kept.txt", (char *)8 };
    printf("renamed %d\n", ask(0x0f, names));
    printf("gone %d\n", fopen("notes.txt", "r") == NULL);
    file = fopen("removed.txt", "wb");
    fclose(file);
    printf("removed %d\n", remove("removed.txt"));
}

/* The calls that a C library hardly makes. */
static void calls(void)
{
    static const char name[] = ":semihosting-features";
    unsigned char     features[5] = { 0 };
    const void *const open[]      = { name, (void *)0, (void *)(sizeof name - 1) };
    const int         handle      = ask(0x01, open);
    const void *const read[]      = { (void *)handle, features, (void *)5 };
    printf("features %d %.4s %d\n", ask(0x06, read), (char *)features, features[4] & 3);
    printf("length %d\n", ask(0x0c, (int[]){ handle }));
    printf("terminal %d\n", ask(0x09, (int[]){ handle }));
    printf("closed %d, again %d\n", ask(0x02, (int[]){ handle }), ask(0x02, (int[]){ handle }));
    printf("errors %d %d\n", ask(0x08, (int[]){ -2, 0 }) != 0, ask(0x08, (int[]){ 2, 0 }));
    char        where[40] = "";
    const void *const temporary[] = { where, (void *)7, (void *)sizeof where };
    printf("temporary %d %d\n", ask(0x0d, temporary), where[0] != 0);
    unsigned long long ticks = 0;
    printf("ticks %d\n", ask(0x30, &ticks) == 0 && ticks != 0);
    printf("rate %d\n", ask(0x31, NULL) > 0);
    unsigned        heap[4] = { 0 };
    unsigned *const to      = heap;
    ask(0x16, &to);
    /* A host that does not know says 0. */
    printf("memory %d\n", heap[0] == 0 || heap[0] < heap[1]);
}

int main(int count, char **words)
{
    printf("hello %d %d %d\n", initialised, cleared[0], cleared[1]);
    for (int i = 1; i < count; i++) printf("argument %d is <%s>\n", i, words[i]);
    char *block = malloc(3000);
    memset(block, 'x', 3000);
    printf("heap %d %c\n", block != NULL, block[2999]);
    free(block);
    printf("too much %d\n", malloc(1u << 30) == NULL);
    files();
    calls();
    if (count > 1 && strcmp(words[count - 1], "outside") == 0) {
        printf("outside %d\n", fopen("../outside.txt", "w") == NULL);
        const char *const command[] = { "ls", (char *)2 };
        printf("command %d\n", ask(0x12, command));
    }
    char name[16] = "nobody";
    if (scanf("%15s", name) == 1) printf("read %s\n", name);
    printf("time passes %d\n", time(NULL) >= 0 && clock() != (clock_t)-1);
    fprintf(stderr, "done\n");
    return 7;
}
