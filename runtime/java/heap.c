/* The heap: blocks of an even number of words, and a collector that marks and sweeps.
 *
 * Words on Java's stack may be numbers or references; each that could be a reference keeps its object. Fields and
 * elements are known exactly. Objects never move. */

#include <string.h>

#include "vm.h"

enum {
    HEAP_WORDS = JAVA_HEAP / 8 * 2,
    MARKED     = 1,
    FREE       = 2,
    PENDING    = 32
};

static uint32_t heap[HEAP_WORDS] __attribute__((aligned(8)));
static uint32_t exhausted[16];

static java_object *thrown_when_full(void)
{
    exhausted[0] = (uint32_t)(uintptr_t)(java_classes + java_thrown[JAVA_OUT_OF_MEMORY]);
    return (java_object *)(void *)exhausted;
}

void java_throw_out_of_memory(void)
{
    java_pending = thrown_when_full();
}

#if JAVA_COLLECTOR

/* A free block: its words, marked as free, and the next one. */
typedef struct block {
    uint32_t      header;
    struct block *next;
} block;

static block   *blocks;
static uint8_t  starts[HEAP_WORDS / 16 + 1];
static uint8_t  is_ready;
static uint8_t  is_over;
static uint32_t pending_count;

static java_object *pending[PENDING];

static uint32_t index_of(const void *object)
{
    return (uint32_t)((const uint32_t *)object - heap) / 2;
}

static uint32_t object_words(const java_object *object)
{
    const java_class *type = (const java_class *)(object->type & ~(uintptr_t)3);
    if (type->array) {
        return 2 + ((((uint32_t)object->words[0] << (type->array - 1)) + 3) >> 2);
    }
    return type->words;
}

static uint32_t even(uint32_t words)
{
    return (words + 1) & ~1u;
}

static void prepare(void)
{
    blocks         = (block *)(void *)heap;
    blocks->header = HEAP_WORDS << 2 | FREE;
    blocks->next   = NULL;
    is_ready       = 1;
}

static uint32_t *taken(uint32_t words)
{
    for (block **link = &blocks; *link; link = &(*link)->next) {
        block   *found = *link;
        uint32_t size  = found->header >> 2;
        if (size < words) {
            continue;
        }
        if (size == words) {
            *link = found->next;
        } else {
            block *rest  = (block *)(void *)((uint32_t *)(void *)found + words);
            rest->header = (size - words) << 2 | FREE;
            rest->next   = found->next;
            *link        = rest;
        }
        uint32_t index = index_of(found);
        starts[index >> 3] |= (uint8_t)(1u << (index & 7));
        return (uint32_t *)(void *)found;
    }
    return NULL;
}

static void mark(uint32_t word)
{
    uint32_t at = word - (uint32_t)(uintptr_t)heap;
    if (at >= HEAP_WORDS * 4u || at % 8 || !(starts[at >> 6] >> (at >> 3 & 7) & 1)) {
        return;
    }
    java_object *object = (java_object *)(uintptr_t)word;
    if (object->type & MARKED) {
        return;
    }
    object->type |= MARKED;
    if (pending_count < PENDING) {
        pending[pending_count++] = object;
    } else {
        is_over = 1;
    }
}

static void mark_fields(const java_object *object)
{
    const java_class *type = (const java_class *)(object->type & ~(uintptr_t)3);
    if (type->element) {
        for (int32_t i = 1; i <= object->words[0]; i++) {
            mark((uint32_t)object->words[i]);
        }
    } else if (type->references) {
        for (uint32_t i = 1; i <= type->references[0]; i++) {
            mark(((const uint32_t *)(const void *)object)[type->references[i]]);
        }
    }
}

static void mark_pending(void)
{
    while (pending_count) {
        mark_fields(pending[--pending_count]);
    }
}

static uint32_t block_words(uint32_t at)
{
    return heap[at] & FREE ? heap[at] >> 2 : even(object_words((java_object *)(void *)(heap + at)));
}

/* Marks what the objects refer to that found no room on the list of those to be looked at. */
static void mark_again(void)
{
    while (is_over) {
        is_over = 0;
        for (uint32_t at = 0; at < HEAP_WORDS; at += block_words(at)) {
            if (heap[at] & MARKED && !(heap[at] & FREE)) {
                mark_fields((java_object *)(void *)(heap + at));
                mark_pending();
            }
        }
    }
}

static void mark_all(void)
{
    for (uint32_t i = 0; i < java_reference_count; i++) {
        mark(java_statics[i]);
        mark_pending();
    }
    for (int32_t *slot = java_stack; slot < java_top; slot++) {
        mark((uint32_t)*slot);
        mark_pending();
    }
    mark((uint32_t)(uintptr_t)java_pending);
    mark_pending();
    for (java_object *const *each = java_initial; *each; each++) {
        mark_fields(*each);
        mark_pending();
    }
    /* The error of a full heap is no block of the heap, but a program may give it a cause. */
    mark_fields(thrown_when_full());
    mark_pending();
    mark_again();
}

/* Joins what is not marked to free blocks, in the order of addresses. */
static void sweep(void)
{
    block **link = &blocks;
    block  *last = NULL;
    for (uint32_t at = 0, words; at < HEAP_WORDS; at += words) {
        words = block_words(at);
        if (!(heap[at] & FREE) && heap[at] & MARKED) {
            heap[at] &= ~(uint32_t)MARKED;
            last = NULL;
            continue;
        }
        starts[at >> 4] &= (uint8_t)~(1u << (at >> 1 & 7));
        if (last) {
            last->header += words << 2;
        } else {
            last         = (block *)(void *)(heap + at);
            last->header = words << 2 | FREE;
            *link        = last;
            link         = &last->next;
        }
    }
    *link = NULL;
}

void java_collect(void)
{
    if (!is_ready) {
        prepare();
    }
    mark_all();
    sweep();
}

int32_t java_free(void)
{
    uint32_t words = 0;
    if (!is_ready) {
        prepare();
    }
    for (const block *each = blocks; each; each = each->next) {
        words += each->header >> 2;
    }
    return (int32_t)(words * 4);
}

static uint32_t *allocated(uint32_t words)
{
    if (!is_ready) {
        prepare();
    }
    uint32_t *found = taken(words);
    if (!found) {
        java_collect();
        found = taken(words);
    }
    return found;
}

#else

static uint32_t used;

void java_collect(void)
{
}

int32_t java_free(void)
{
    return (int32_t)((HEAP_WORDS - used) * 4);
}

static uint32_t even(uint32_t words)
{
    return (words + 1) & ~1u;
}

static uint32_t *allocated(uint32_t words)
{
    uint32_t *found = heap + used;
    if (words > HEAP_WORDS - used) {
        return NULL;
    }
    used += words;
    return found;
}

#endif

static java_object *made(const java_class *type, uint32_t words)
{
    uint32_t *found = allocated(even(words));
    if (!found) {
        java_throw_out_of_memory();
        return NULL;
    }
    memset(found, 0, even(words) * 4);
    found[0] = (uint32_t)(uintptr_t)type;
    return (java_object *)(void *)found;
}

java_object *java_new(const java_class *type)
{
    return made(type, type->words);
}

java_object *java_new_array(const java_class *type, int32_t length)
{
    uint32_t shift = type->array - 1u;
    if (length < 0) {
        java_throw(JAVA_NEGATIVE_SIZE);
        return NULL;
    }
    /* No heap has room for more bytes, which a word could not count. */
    if ((uint32_t)length >= (1u << 28) >> shift) {
        java_throw_out_of_memory();
        return NULL;
    }
    java_object *array = made(type, 2 + ((((uint32_t)length << shift) + 3) >> 2));
    if (array) {
        array->words[0] = length;
    }
    return array;
}
