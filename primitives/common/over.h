/* What a primitive that is built over another must know of it: the compiler is told INNER, the other's name, with
 * INNER_HEADER, INNER_CONTEXT and its sizes, and OUTER, the name of what is made of it. */

#ifndef OVER_H
#define OVER_H

#include <stddef.h>
#include <stdint.h>

#include INNER_HEADER

#define OVER_JOINED(name, operation) name##_##operation
#define OVER_JOIN(name, operation) OVER_JOINED(name, operation)

/* The function of the other that does an operation, and the one that is defined here. */
#define INNER_(operation) OVER_JOIN(INNER, operation)
#define OUTER_(operation) OVER_JOIN(OUTER, operation)

#endif
