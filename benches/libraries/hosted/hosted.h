/* What a hosted compiler gives the libraries: memory functions that it may expand in place.
 *
 * Included in front of every source of theirs, so that none loses by `-ffreestanding`. */

#ifndef HOSTED_H
#define HOSTED_H

#include <stdlib.h>
#include <string.h>

#define memcpy(to, from, size)  __builtin_memcpy(to, from, size)
#define memmove(to, from, size) __builtin_memmove(to, from, size)
#define memset(at, value, size) __builtin_memset(at, value, size)

#endif
