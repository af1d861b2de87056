/* General utilities (C11, 7.22) with a heap, for third-party code that needs one. */

#ifndef COCRYPT_FOREIGN_STDLIB_H
#define COCRYPT_FOREIGN_STDLIB_H

#include_next <stdlib.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void  free(void *memory);

#endif
