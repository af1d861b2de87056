/* A small first-fit heap for third-party code; a freed piece is merged with its free successors. It counts as memory
 * of the measured code that uses it. */

#include <stdint.h>
#include <stdlib.h>

enum { HEAP_BYTES = 4096, ALIGNMENT = 8 };

/* Header of each piece: its size including this header, and whether it is allocated. */
typedef struct {
    uint32_t size;
    uint32_t taken;
} PIECE;

static _Alignas(ALIGNMENT) uint8_t heap[HEAP_BYTES];

static PIECE *behind(PIECE *piece)
{
    uint8_t *next = (uint8_t *)piece + piece->size;
    return next < heap + HEAP_BYTES ? (PIECE *)(void *)next : NULL;
}

/* The first piece; initially the whole heap. */
static PIECE *first(void)
{
    PIECE *piece = (PIECE *)(void *)heap;
    if (piece->size == 0) {
        piece->size = HEAP_BYTES;
    }
    return piece;
}

/* Merges a free piece with the free pieces after it. */
static void join(PIECE *piece)
{
    for (PIECE *next = behind(piece); next != NULL && !next->taken; next = behind(piece)) {
        piece->size += next->size;
    }
}

static void split(PIECE *piece, uint32_t size)
{
    if (piece->size >= size + 2 * sizeof *piece) {
        uint32_t rest       = piece->size - size;
        piece->size         = size;
        PIECE *next         = (PIECE *)(void *)((uint8_t *)piece + size);
        next->size          = rest;
        next->taken         = 0;
    }
}

void *malloc(size_t size)
{
    if (size > HEAP_BYTES) {
        return NULL;
    }
    uint32_t needed = (uint32_t)((size + sizeof(PIECE) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    for (PIECE *piece = first(); piece != NULL; piece = behind(piece)) {
        if (piece->taken) {
            continue;
        }
        join(piece);
        if (piece->size >= needed) {
            split(piece, needed);
            piece->taken = 1;
            return piece + 1;
        }
    }
    return NULL;
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > HEAP_BYTES / size) {
        return NULL;
    }
    uint8_t *memory = malloc(count * size);
    for (size_t i = 0; memory != NULL && i < count * size; i++) {
        memory[i] = 0;
    }
    return memory;
}

void free(void *memory)
{
    if (memory != NULL) {
        ((PIECE *)memory - 1)->taken = 0;
    }
}
