/* General utilities (C11, 7.22) with memory management, for programs with a heap. */

#ifndef COCRYPT_HEAP_STDLIB_H
#define COCRYPT_HEAP_STDLIB_H

#include_next <stdlib.h>

void *malloc(size_t size);
void *calloc(size_t number, size_t size);
void *realloc(void *memory, size_t size);
void  free(void *memory);

#endif
