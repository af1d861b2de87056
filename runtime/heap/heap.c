/* Memory management (ISO/IEC 9899:2011, section 7.22.3), from COCRYPT_HEAP bytes of static memory.
 *
 * The heap is a sequence of pieces, allocated first-fit: the first free piece that is large enough is split, its rest
 * stays free, and adjacent free pieces are merged. A piece is a header of one word, its size, and the memory after it,
 * rounded up to a multiple of two words, the alignment of addresses. There is no other overhead: the heap is
 * COCRYPT_HEAP bytes of the program's .bss, and two words with counts. If no piece is large enough, the result is
 * NULL. An allocation of 0 bytes is a piece like any other. Interrupt handlers must not allocate. */

#include "cocrypt/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef COCRYPT_HEAP
#define COCRYPT_HEAP 4096
#endif
#define HEADER    sizeof(size_t)
#define ALIGNMENT (2 * sizeof(size_t))
/* Offset of the first header, such that the memory after a header is aligned. */
#define BEFORE    (ALIGNMENT - HEADER)
#define ROOM      ((sizeof heap - BEFORE) / ALIGNMENT * ALIGNMENT)
/* The lowest bit of a size, which is even, marks an allocated piece. */
#define TAKEN     ((size_t)1)

typedef struct {
    size_t word;
} PIECE;

static _Alignas(ALIGNMENT) unsigned char heap[COCRYPT_HEAP];
static size_t used;
static size_t peak;

_Static_assert(sizeof heap >= BEFORE + ALIGNMENT, "the heap has room for one piece");

static size_t size_of(const PIECE *piece)
{
    return piece->word & ~TAKEN;
}

/* The next piece, or NULL. */
static PIECE *behind(PIECE *piece)
{
    unsigned char *next = (unsigned char *)piece + size_of(piece);
    return next < heap + BEFORE + ROOM ? (PIECE *)(void *)next : NULL;
}

/* The first piece; at the first call, when memory is still 0, it makes the whole heap one free piece. */
static PIECE *first(void)
{
    PIECE *piece = (PIECE *)(void *)(heap + BEFORE);
    if (piece->word == 0) {
        piece->word = ROOM;
    }
    return piece;
}

/* Merges a piece with the free pieces after it. */
static void join(PIECE *piece)
{
    PIECE *next = behind(piece);
    while (next != NULL && (next->word & TAKEN) == 0) {
        piece->word += next->word;
        next = behind(piece);
    }
}

/* Allocates the first bytes of a piece, and makes the rest a free piece. */
static void take(PIECE *piece, size_t size)
{
    size_t rest = size_of(piece) - size;
    piece->word = size | TAKEN;
    if (rest != 0) {
        behind(piece)->word = rest;
    }
}

static void count(size_t more, size_t less)
{
    used = used + more - less;
    if (used > peak) {
        peak = used;
    }
}

/* The size of a piece with this much memory, or 0 if no heap could hold it. */
static size_t whole(size_t size)
{
    return size > ROOM ? 0 : (size + HEADER + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

void *malloc(size_t size)
{
    size_t needed = whole(size);
    for (PIECE *piece = first(); needed != 0 && piece != NULL; piece = behind(piece)) {
        if ((piece->word & TAKEN) != 0) {
            continue;
        }
        join(piece);
        if (piece->word >= needed) {
            take(piece, needed);
            count(needed, 0);
            return piece + 1;
        }
    }
    return NULL;
}

void *calloc(size_t number, size_t size)
{
    size_t product;
    if (__builtin_mul_overflow(number, size, &product)) {
        return NULL;
    }
    void *memory = malloc(product);
    return memory == NULL ? NULL : memset(memory, 0, product);
}

void *realloc(void *memory, size_t size)
{
    if (memory == NULL) {
        return malloc(size);
    }
    PIECE *piece  = (PIECE *)memory - 1;
    size_t before = size_of(piece);
    size_t needed = whole(size);
    if (needed == 0) {
        return NULL;
    }
    /* `take` frees the part of the merged piece that is not needed. */
    join(piece);
    size_t there = size_of(piece);
    take(piece, there >= needed ? needed : before);
    if (there >= needed) {
        count(needed, before);
        return memory;
    }
    void *moved = malloc(size);
    if (moved != NULL) {
        memcpy(moved, memory, before - HEADER);
        free(memory);
    }
    return moved;
}

void free(void *memory)
{
    if (memory != NULL) {
        PIECE *piece = (PIECE *)memory - 1;
        count(0, size_of(piece));
        piece->word &= ~TAKEN;
    }
}

size_t cocrypt_heap_used(void)
{
    return used;
}

size_t cocrypt_heap_peak(void)
{
    return peak;
}
