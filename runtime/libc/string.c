/* String functions of the C library (ISO/IEC 9899:2011, section 7.24). */

#include <string.h>

void *memchr(const void *at, int value, size_t size)
{
    const unsigned char *byte = at;
    for (; size != 0; size--, byte++) {
        if (*byte == (unsigned char)value) {
            return (void *)byte;
        }
    }
    return NULL;
}

int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (; size != 0; size--, a++, b++) {
        if (*a != *b || *a == '\0') {
            return (unsigned char)*a - (unsigned char)*b;
        }
    }
    return 0;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    memcpy(to, from, strlen(from) + 1);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t at = 0;
    for (; at < size && from[at] != '\0'; at++) {
        to[at] = from[at];
    }
    memset(to + at, 0, size - at);
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strchr(const char *text, int character)
{
    return memchr(text, character, strlen(text) + 1);
}

char *strrchr(const char *text, int character)
{
    for (size_t at = strlen(text) + 1; at != 0; at--) {
        if (text[at - 1] == (char)character) {
            return (char *)text + at - 1;
        }
    }
    return NULL;
}
