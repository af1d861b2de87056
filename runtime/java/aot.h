/* What methods that are compiled ahead of time ask of the machine.
 *
 * A compiled method keeps its variables and its operand stack in variables of C. Of those that are objects it has copies
 * in a frame on Java's stack wherever memory may be collected, so that the collector finds them. */

#ifndef COCRYPT_JAVA_AOT_H
#define COCRYPT_JAVA_AOT_H

#include "vm.h"

#define JAVA_REFERENCE(object) ((int32_t)(uintptr_t)(object))
#define JAVA_OBJECT(word)      ((java_object *)(uintptr_t)(word))

/* Goes on at a label, where an exception is thrown, if a condition holds. */
#define JAVA_THROW_IF(condition, label) \
    do { \
        if (__builtin_expect(!!(condition), 0)) { \
            goto label; \
        } \
    } while (0)

/* Tells the compiler that no exception is under way, so that it drops the check behind a call that it inlines. */
#define JAVA_IS_CALM() \
    do { \
        if (java_pending) { \
            __builtin_unreachable(); \
        } \
    } while (0)

/* An element of an array whose index was checked. */
#define JAVA_ELEMENT(array, type, index) (((type *)(void *)((array)->words + 1))[index])

static inline int java_is_outside(const java_object *array, int32_t index)
{
    return (uint32_t)index >= (uint32_t)array->words[0];
}

/* Elements and fields of 64 bits are aligned to 32. */
static inline int64_t java_long_element(const java_object *array, int32_t index)
{
    return java_get_long(array->words + 1 + 2 * index);
}

static inline void java_set_long_element(java_object *array, int32_t index, int64_t value)
{
    java_put_long(array->words + 1 + 2 * index, value);
}

/* A field, by its distance in words from the object's start. */
static inline int32_t *java_field(java_object *object, int32_t at)
{
    return (int32_t *)(void *)object + at;
}

static inline int32_t *java_static(uint32_t at)
{
    return (int32_t *)(void *)(java_statics + at);
}

static inline int java_may_store(const java_object *array, const java_object *value)
{
    return !value || java_is(java_type(value), java_type(array)->element);
}

static inline int java_is_instance(const java_object *object, const java_class *type)
{
    return object && java_is(java_type(object), type);
}

/* Returns whether a frame with these slots finds no room, on Java's stack or on that of C. */
static inline int java_is_full(const int32_t *base, int32_t slots)
{
    return java_stack + JAVA_STACK_WORDS - base < slots || java_c_stack_is_full();
}

static inline int32_t java_int_quotient(int32_t left, int32_t right)
{
    return right == -1 ? (int32_t)(0 - (uint32_t)left) : left / right;
}

static inline int32_t java_int_remainder(int32_t left, int32_t right)
{
    return right == -1 ? 0 : left % right;
}

#endif
