/* String and memory functions of the C library (C11, 7.24) that freestanding programs use. */

#ifndef COCRYPT_STRING_H
#define COCRYPT_STRING_H

#include <stddef.h>

void  *memcpy(void *restrict to, const void *restrict from, size_t size);
void  *memmove(void *to, const void *from, size_t size);
void  *memset(void *at, int value, size_t size);
int    memcmp(const void *a, const void *b, size_t size);
void  *memchr(const void *at, int value, size_t size);

size_t strlen(const char *text);
int    strcmp(const char *a, const char *b);
int    strncmp(const char *a, const char *b, size_t size);
char  *strcpy(char *restrict to, const char *restrict from);
char  *strncpy(char *restrict to, const char *restrict from, size_t size);
char  *strcat(char *restrict to, const char *restrict from);
char  *strchr(const char *text, int character);
char  *strrchr(const char *text, int character);

#endif
