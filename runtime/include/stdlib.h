/* General utilities (C11, 7.22) without memory management, which runtime/heap adds for programs with a heap. */

#ifndef COCRYPT_STDLIB_H
#define COCRYPT_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX     0x7fff

_Noreturn void exit(int status);
_Noreturn void abort(void);

int  abs(int value);
long labs(long value);
int  atoi(const char *text);
int  rand(void);
void srand(unsigned seed);

#endif
