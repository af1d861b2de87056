/* The general utilities of the C library with memory to be allocated, for programs that have a heap. */

#ifndef COCRYPT_HEAP_STDLIB_H
#define COCRYPT_HEAP_STDLIB_H

#include_next <stdlib.h>

void *malloc(size_t size);
void *calloc(size_t number, size_t size);
void *realloc(void *memory, size_t size);
void  free(void *memory);

#endif
