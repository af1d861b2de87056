/* What a program's heap holds, in bytes; each piece of memory counts with what stands before it. */

#ifndef COCRYPT_HEAP_H
#define COCRYPT_HEAP_H

#include <stddef.h>

/* What is allocated now. */
size_t cocrypt_heap_used(void);
/* The most that was allocated at a time. */
size_t cocrypt_heap_peak(void);

#endif
