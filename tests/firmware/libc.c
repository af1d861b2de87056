/* What the small libc prints and computes; the host's prints and computes the same. */

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integers(void)
{
    static const int values[] = { 0, 1, -1, 42, -42, 123456, -2147483647 - 1, 2147483647 };
    for (unsigned at = 0; at < sizeof values / sizeof *values; at++) {
        int v = values[at];
        printf("[%d] [%i] [%u] [%x] [%X] [%o]\n", v, v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
        printf("[%8d] [%-8d] [%08d] [%+d] [% d] [%+8d] [%-+8d]\n", v, v, v, v, v, v, v);
        printf("[%.0d] [%.3d] [%8.3d] [%-8.3d] [%.12d]\n", v, v, v, v, v);
        printf("[%#x] [%#X] [%#o] [%#10x] [%#010x] [%-#10x]\n", (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
        printf("[%hd] [%hhd] [%hu] [%hhx] [%*d] [%-*d] [%.*d]\n", (short)v, (signed char)v, (unsigned short)v, (unsigned char)v, 7, v, 7, v, 5, v);
        printf("[%" PRId32 "] [%" PRIu32 "] [%08" PRIx32 "]\n", (int32_t)v, (uint32_t)v, (uint32_t)v);
    }
    static const int64_t longs[] = { 0, -1, INT64_MIN, INT64_MAX, 10000000000 };
    for (unsigned at = 0; at < sizeof longs / sizeof *longs; at++) {
        int64_t v = longs[at];
        printf("[%lld] [%24lld] [%-24lld] [%024lld]\n", (long long)v, (long long)v, (long long)v, (long long)v);
        printf("[%" PRIu64 "] [%" PRIx64 "] [%#" PRIX64 "] [%llo]\n", (uint64_t)v, (uint64_t)v, (uint64_t)v, (unsigned long long)v);
    }
    printf("[%zu] [%zx] %% [%5c] [%-5c]|\n", sizeof longs, sizeof longs, 'a', 'b');
}

static void texts(void)
{
    char room[8];
    /* What the compiler cannot see it does not warn of: it is meant to be cut. */
    static const char *volatile long_text = "abcdef";
    printf("[%s] [%10s] [%-10s] [%.3s] [%10.3s] [%.0s]\n", "hello", "hello", "hello", "hello", "hello", "hello");
    for (size_t size = 0; size <= sizeof room; size++) {
        memset(room, '#', sizeof room);
        int count = snprintf(room, size, "%d-%s", 123, long_text);
        printf("%d", count);
        for (size_t at = 0; at < sizeof room; at++) {
            printf(" %02x", (unsigned char)room[at]);
        }
        puts("");
    }
    sprintf(room, "%s%c", "abc", 'd');
    puts(room);
    fputs("to the console\n", stdout);
    fprintf(stdout, "%d\n", putchar('x'));
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void strings(void)
{
    static const char *const words[] = { "", "a", "abc", "abd", "ab", "\xff", "abcabc" };
    char room[16];
    for (unsigned a = 0; a < sizeof words / sizeof *words; a++) {
        for (unsigned b = 0; b < sizeof words / sizeof *words; b++) {
            printf("%d %d %d ", sign(strcmp(words[a], words[b])), sign(strncmp(words[a], words[b], 2)), sign(strncmp(words[a], words[b], 0)));
        }
        char *first = strchr(words[a], 'b'), *last = strrchr(words[a], 'b'), *end = strchr(words[a], 0);
        printf("%d %d %d %d\n", first ? (int)(first - words[a]) : -1, last ? (int)(last - words[a]) : -1, (int)(end - words[a]), memchr(words[a], 'c', strlen(words[a])) != NULL);
        memset(room, '.', sizeof room);
        strncpy(room, words[a], 5);
        for (int at = 0; at < 8; at++) {
            printf("%02x", (unsigned char)room[at]);
        }
        strcat(strcpy(room, words[a]), "-end");
        printf(" %s\n", room);
    }
    for (int c = 0; c < 128; c++) {
        printf("%d%d%d%d%d%d%d%d%c", !!isdigit(c), !!islower(c), !!isupper(c), !!isalpha(c), !!isalnum(c), !!isspace(c), !!isprint(c), !!isxdigit(c), c % 8 == 7 ? '\n' : ' ');
        printf("%d %d ", tolower(c), toupper(c));
    }
    printf("%d %d %d %d %ld %d\n", atoi(" -12x"), atoi("+7"), atoi("2147483647"), atoi("x"), labs(-5L), abs(-3));
}

int main(void)
{
    integers();
    texts();
    strings();
    exit(0);
}
