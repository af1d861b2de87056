/* memcpy, memmove, memset, memcmp, strlen (C11, 7.24), by words if both operands are aligned. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Words that may alias objects of any type. */
typedef uint32_t __attribute__((may_alias)) word;

static int is_aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 3u) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char       *t = to;
    const unsigned char *f = from;
    if (is_aligned(t, f)) {
        for (; size >= 4; size -= 4, t += 4, f += 4) {
            *(word *)(void *)t = *(const word *)(const void *)f;
        }
    }
    while (size-- > 0) {
        *t++ = *f++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char       *t = to;
    const unsigned char *f = from;
    /* The difference wraps around, so the condition also holds if `to` is below `from`. */
    if ((uintptr_t)t - (uintptr_t)f >= size) {
        return memcpy(to, from, size);
    }
    while (size-- > 0) {
        t[size] = f[size];
    }
    return to;
}

void *memset(void *at, int value, size_t size)
{
    unsigned char *t    = at;
    unsigned char  byte = (unsigned char)value;
    if (is_aligned(t, t)) {
        for (; size >= 4; size -= 4, t += 4) {
            *(word *)(void *)t = 0x01010101u * byte;
        }
    }
    while (size-- > 0) {
        *t++ = byte;
    }
    return at;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    for (; size > 0; size--, x++, y++) {
        if (*x != *y) {
            return *x < *y ? -1 : 1;
        }
    }
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    return length;
}
