/* What libraries' headers want of the system's types: sizes. */

#ifndef SYS_TYPES_H
#define SYS_TYPES_H

#include <stddef.h>

#endif
