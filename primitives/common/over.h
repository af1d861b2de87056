/* Interface of a primitive built over another one (a mode or MAC). The compiler options define INNER, the name of the
 * underlying primitive, with INNER_HEADER, INNER_CONTEXT and its sizes, and OUTER, the name of the new primitive. */

#ifndef OVER_H
#define OVER_H

#include <stddef.h>
#include <stdint.h>

#include INNER_HEADER

#define OVER_JOINED(name, operation) name##_##operation
#define OVER_JOIN(name, operation) OVER_JOINED(name, operation)

/* The name of a function of the underlying primitive, and of a function that is defined here. */
#define INNER_(operation) OVER_JOIN(INNER, operation)
#define OUTER_(operation) OVER_JOIN(OUTER, operation)

#endif
