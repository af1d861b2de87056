/* The general utilities with a heap, for others' code that wants one. */

#ifndef COCRYPT_FOREIGN_STDLIB_H
#define COCRYPT_FOREIGN_STDLIB_H

#include_next <stdlib.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void  free(void *memory);

#endif
