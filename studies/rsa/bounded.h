/* Products and squares for options that replace other functions. Options call them by the names
 * that the linker binds to the function itself or to its replacement, like the calls within the
 * primitive's own sources. */

#ifndef BOUNDED_H
#define BOUNDED_H

#include "numbers.h"

#define BOUNDED_JOIN(name) cocrypt_boundary_##name
#define BOUNDED(name)      BOUNDED_JOIN(name)
#define bounded_multiply   BOUNDED(modulus_multiply)
#define bounded_square     BOUNDED(modulus_square)

void bounded_multiply(MODULUS *of, uint32_t *z, const uint32_t *a, const uint32_t *b);
void bounded_square(MODULUS *of, uint32_t *z, const uint32_t *a);

#endif
