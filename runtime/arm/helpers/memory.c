/* Memory functions with the names and argument orders that compilers for ARM use ("Run-time ABI for the Arm
 * Architecture", IHI 0043, 4.3.4). */

#include "helpers.h"

#include <string.h>

/* Defines the same function for memory aligned to 4 and to 8 bytes. */
#define ALIKE(name, parameters, call)                                                             \
    void name parameters                                                                          \
    {                                                                                             \
        (void)call;                                                                               \
    }                                                                                             \
    void name##4 parameters                                                                       \
    {                                                                                             \
        (void)call;                                                                               \
    }                                                                                             \
    void name##8 parameters                                                                       \
    {                                                                                             \
        (void)call;                                                                               \
    }

ALIKE(__aeabi_memcpy, (void *to, const void *from, size_t size), memcpy(to, from, size))
ALIKE(__aeabi_memmove, (void *to, const void *from, size_t size), memmove(to, from, size))
ALIKE(__aeabi_memset, (void *at, size_t size, int value), memset(at, value, size))
ALIKE(__aeabi_memclr, (void *at, size_t size), memset(at, 0, size))
