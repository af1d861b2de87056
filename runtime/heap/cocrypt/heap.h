/* The use of a program's heap, in bytes; each piece of memory counts with its header. */

#ifndef COCRYPT_HEAP_H
#define COCRYPT_HEAP_H

#include <stddef.h>

/* Bytes allocated now. */
size_t cocrypt_heap_used(void);
/* The maximum of bytes allocated at a time. */
size_t cocrypt_heap_peak(void);

#endif
