/* Random bytes for schemes that draw them, in place of the header of this name that asks an operating system. */

#ifndef COCRYPT_RANDOMBYTES_H
#define COCRYPT_RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *output, size_t size);
/* The same by the name that PQClean has for it. */
int PQCLEAN_randombytes(uint8_t *output, size_t size);

#endif
