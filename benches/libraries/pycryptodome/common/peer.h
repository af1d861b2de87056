/* What PyCryptodome's set-up script finds out of a system, for a device without a heap. */

#ifndef PEER_H
#define PEER_H

#include "hosted.h"

#define HAVE_STDINT_H
#define HAVE_POSIX_MEMALIGN
#define PYCRYPTO_LITTLE_ENDIAN
#define NO_CPYTHON_MODULE

/* Declared only: what is measured has its state where its caller wants it. */
void *calloc(size_t count, size_t size);
void  free(void *memory);
int   posix_memalign(void **memory, size_t alignment, size_t size);

#endif
