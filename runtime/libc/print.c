/* Formatted output (ISO/IEC 9899:2011, section 7.21.6) without floating point. */

#include "cocrypt/device.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

FILE cocrypt_console;

/* The destination of characters: the console, or an array of limited size. */
struct sink {
    char  *to;
    size_t size;
    size_t count;
};

/* The size that stands for a long: where an int is shorter, it must not be taken for an int's, which is 4. */
#define IS_LONG_WIDER (sizeof(long) > sizeof(int))
#define LONG_BYTES    (IS_LONG_WIDER ? 5u : (unsigned)sizeof(long))

/* A conversion specification: flags, minimum width, precision or -1, and the size of the value in bytes. */
struct conversion {
    bool     left, zero, alternate;
    char     sign;
    int      width, precision;
    unsigned bytes;
    char     kind;
};

/* The number of octal digits of a 64-bit value. */
#define DIGITS 22

static void put(struct sink *sink, char character)
{
    if (sink->to == NULL) {
        device_write(COCRYPT_CONSOLE, (unsigned char)character);
    } else if (sink->count + 1 < sink->size) {
        sink->to[sink->count] = character;
    }
    sink->count++;
}

static void repeat(struct sink *sink, char character, int times)
{
    while (times-- > 0) {
        put(sink, character);
    }
}

/* Writes a sign or prefix, zeros and the text, padded to the width. */
static void field(struct sink *sink, const struct conversion *how, const char *prefix, int zeros,
                  const char *text, int size)
{
    int padding = how->width - (int)strlen(prefix) - zeros - size;
    if (!how->left) {
        repeat(sink, ' ', padding);
    }
    while (*prefix != '\0') {
        put(sink, *prefix++);
    }
    repeat(sink, '0', zeros);
    for (int at = 0; at < size; at++) {
        put(sink, text[at]);
    }
    if (how->left) {
        repeat(sink, ' ', padding);
    }
}

/* Writes the digits of a value to the end of an array; returns their number. */
static int digits(char to[DIGITS], uint64_t value, unsigned base, bool upper)
{
    const char *letters = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    int         count   = 0;
    for (; value != 0; value /= base) {
        to[DIGITS - ++count] = letters[value % base];
    }
    return count;
}

static void number(struct sink *sink, const struct conversion *how, uint64_t value,
                   const char *prefix)
{
    char     text[DIGITS];
    unsigned base  = how->kind == 'o' ? 8 : how->kind == 'd' || how->kind == 'u' ? 10 : 16;
    int      count = digits(text, value, base, how->kind == 'X');
    int      least = how->precision < 0 ? 1 : how->precision;
    int      zeros = least > count ? least - count : 0;
    if (how->kind == 'o' && how->alternate && zeros == 0) {
        zeros = 1;
    }
    int rest = how->width - (int)strlen(prefix) - count;
    if (how->zero && !how->left && how->precision < 0 && rest > zeros) {
        zeros = rest;
    }
    field(sink, how, prefix, zeros, text + DIGITS - count, count);
}

static void put_signed(struct sink *sink, struct conversion *how, int64_t value)
{
    char sign[] = { value < 0 ? '-' : how->sign, '\0' };
    how->kind   = 'd';
    number(sink, how, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, sign);
}

static void put_unsigned(struct sink *sink, const struct conversion *how, uint64_t value)
{
    bool        hex    = how->kind == 'x' || how->kind == 'X';
    bool        marked = how->alternate && hex && value != 0;
    const char *prefix = !marked ? "" : how->kind == 'X' ? "0X" : "0x";
    number(sink, how, value, prefix);
}

static void text(struct sink *sink, struct conversion *how, const char *from)
{
    size_t most = how->precision < 0 ? SIZE_MAX : (size_t)how->precision;
    size_t size = 0;
    while (size < most && from[size] != '\0') {
        size++;
    }
    field(sink, how, "", 0, from, (int)size);
}

static const char *flags(struct conversion *how, const char *at)
{
    for (;; at++) {
        switch (*at) {
        case '-': how->left = true; break;
        case '0': how->zero = true; break;
        case '#': how->alternate = true; break;
        case '+': how->sign = '+'; break;
        case ' ': how->sign = how->sign == '+' ? '+' : ' '; break;
        default: return at;
        }
    }
}

static const char *decimal(int *value, const char *at, va_list *values)
{
    if (*at == '*') {
        *value = va_arg(*values, int);
        return at + 1;
    }
    for (*value = 0; isdigit(*at); at++) {
        *value = 10 * *value + (*at - '0');
    }
    return at;
}

static const char *length(struct conversion *how, const char *at)
{
    for (how->bytes = 4;; at++) {
        switch (*at) {
        case 'h': how->bytes /= 2; break;
        case 'l': how->bytes = at[-1] == 'l' ? 8 : LONG_BYTES; break;
        case 'j': how->bytes = 8; break;
        case 'z':
        case 't': how->bytes = sizeof(size_t); break;
        default: return at;
        }
    }
}

/* Parses a conversion specification after the percent sign, up to its conversion specifier. */
static const char *conversion(struct conversion *how, const char *at, va_list *values)
{
    *how = (struct conversion){ .precision = -1 };
    at   = decimal(&how->width, flags(how, at), values);
    if (how->width < 0) {
        how->left  = true;
        how->width = -how->width;
    }
    if (*at == '.') {
        at = decimal(&how->precision, at + 1, values);
    }
    at        = length(how, at);
    how->kind = *at;
    return *at == '\0' ? at : at + 1;
}

static int64_t signed_value(const struct conversion *how, va_list *values)
{
    if (how->bytes == 8) {
        return va_arg(*values, int64_t);
    }
    if (IS_LONG_WIDER && how->bytes == LONG_BYTES) {
        return va_arg(*values, long);
    }
    int value = va_arg(*values, int);
    return how->bytes == 1 ? (signed char)value : how->bytes == 2 ? (short)value : value;
}

static uint64_t unsigned_value(const struct conversion *how, va_list *values)
{
    if (how->bytes == 8) {
        return va_arg(*values, uint64_t);
    }
    if (IS_LONG_WIDER && how->bytes == LONG_BYTES) {
        return va_arg(*values, unsigned long);
    }
    unsigned value = va_arg(*values, unsigned);
    return how->bytes == 1 ? (unsigned char)value : how->bytes == 2 ? (unsigned short)value : value;
}

static void converted(struct sink *sink, struct conversion *how, va_list *values)
{
    char character;
    switch (how->kind) {
    case 'd':
    case 'i': put_signed(sink, how, signed_value(how, values)); break;
    case 'u':
    case 'o':
    case 'x':
    case 'X': put_unsigned(sink, how, unsigned_value(how, values)); break;
    case 'p':
        how->kind      = 'x';
        how->alternate = true;
        put_unsigned(sink, how, (uintptr_t)va_arg(*values, void *));
        break;
    case 's': text(sink, how, va_arg(*values, const char *)); break;
    case 'c':
        character = (char)va_arg(*values, int);
        field(sink, how, "", 0, &character, 1);
        break;
    case '\0': break;
    default: put(sink, how->kind); break;
    }
}

static int print(struct sink *sink, const char *format, va_list given)
{
    struct conversion how;
    va_list           values;
    va_copy(values, given);
    while (*format != '\0') {
        if (*format != '%') {
            put(sink, *format++);
            continue;
        }
        format = conversion(&how, format + 1, &values);
        converted(sink, &how, &values);
    }
    va_end(values);
    return (int)sink->count;
}

/* Formats into an array of `size` bytes, and truncates the text if necessary. */
static int fill(char *to, size_t size, const char *format, va_list values)
{
    char        nothing;
    struct sink sink  = { .to = size == 0 ? &nothing : to, .size = size };
    int         count = print(&sink, format, values);
    if (size != 0) {
        to[sink.count < size ? sink.count : size - 1] = '\0';
    }
    return count;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list values)
{
    return fill(to, size, format, values);
}

int vprintf(const char *restrict format, va_list values)
{
    struct sink sink = { .to = NULL };
    return print(&sink, format, values);
}

int printf(const char *restrict format, ...)
{
    va_list values;
    va_start(values, format);
    int count = vprintf(format, values);
    va_end(values);
    return count;
}

int fprintf(FILE *stream, const char *restrict format, ...)
{
    (void)stream;
    va_list values;
    va_start(values, format);
    int count = vprintf(format, values);
    va_end(values);
    return count;
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list values;
    va_start(values, format);
    int count = fill(to, SIZE_MAX, format, values);
    va_end(values);
    return count;
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list values;
    va_start(values, format);
    int count = fill(to, size, format, values);
    va_end(values);
    return count;
}

int putchar(int character)
{
    device_write(COCRYPT_CONSOLE, (unsigned char)character);
    return (unsigned char)character;
}

int fputc(int character, FILE *stream)
{
    (void)stream;
    return putchar(character);
}

int fputs(const char *text, FILE *stream)
{
    (void)stream;
    while (*text != '\0') {
        putchar(*text++);
    }
    return 0;
}

int puts(const char *text)
{
    fputs(text, stdout);
    return putchar('\n');
}

int getchar(void)
{
    return (int)device_read(COCRYPT_CONSOLE);
}

int fflush(FILE *stream)
{
    (void)stream;
    return 0;
}
