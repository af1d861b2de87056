/* Random bytes for schemes that need them; replaces the header of this name that uses the operating system. */

#ifndef COCRYPT_RANDOMBYTES_H
#define COCRYPT_RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *output, size_t size);
/* The same function by its name in PQClean. */
int PQCLEAN_randombytes(uint8_t *output, size_t size);

#endif
