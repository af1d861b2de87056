/* Output to the device's console. printf supports d i u x X o c s p and %, with flags, width, precision and
 * the lengths hh h l ll z, but no floating point. */

#ifndef COCRYPT_STDIO_H
#define COCRYPT_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

/* The only stream is the console. */
typedef struct cocrypt_stream {
    char name;
} FILE;
extern FILE cocrypt_console;
#define stdout (&cocrypt_console)
#define stderr (&cocrypt_console)

int putchar(int character);
int puts(const char *text);
int getchar(void);
int fputs(const char *text, FILE *stream);
int fputc(int character, FILE *stream);
int fflush(FILE *stream);

int printf(const char *restrict format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *stream, const char *restrict format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char *restrict to, const char *restrict format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
    __attribute__((format(printf, 3, 4)));
int vprintf(const char *restrict format, va_list values);
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list values);

#endif
