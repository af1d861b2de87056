/* The memory functions of the C library, as far as freestanding programs use them. */

#ifndef COCRYPT_STRING_H
#define COCRYPT_STRING_H

#include <stddef.h>

void  *memcpy(void *restrict to, const void *restrict from, size_t size);
void  *memmove(void *to, const void *from, size_t size);
void  *memset(void *at, int value, size_t size);
int    memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);

#endif
