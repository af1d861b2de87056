/* Native methods in C: the types of Java's values, and the contents of arrays without a copy.
 *
 * A native method `int f(byte[] a, long b)` of the class `p.C` is the function `jint Java_p_C_f(jobject self, jobject
 * a, jlong b)`; one of the class has no `self`. Objects never move, so pointers stay valid as long as a reference
 * to the object is on the caller's stack: for all of the call, where it is an argument. */

#ifndef COCRYPT_JAVA_H
#define COCRYPT_JAVA_H

#include <stdint.h>

typedef int8_t   jbyte;
typedef uint8_t  jboolean;
typedef uint16_t jchar;
typedef int16_t  jshort;
typedef int32_t  jint;
typedef int64_t  jlong;
typedef float    jfloat;
typedef double   jdouble;
typedef struct java_object *jobject;

/* The exceptions that the machine throws itself. */
enum java_exception {
    JAVA_NULL_POINTER,
    JAVA_ARITHMETIC,
    JAVA_ARRAY_INDEX,
    JAVA_NEGATIVE_SIZE,
    JAVA_ARRAY_STORE,
    JAVA_CLASS_CAST,
    JAVA_OUT_OF_MEMORY,
    JAVA_STACK_OVERFLOW,
    JAVA_INCOMPATIBLE_CHANGE,
    JAVA_IN_INITIALIZER,
    JAVA_NO_CLASS,
    JAVA_CLONE_NOT_SUPPORTED
};

/* Throws an exception when the native method returns. */
void java_throw(enum java_exception kind);

/* The length of an array. */
static inline jint java_length(jobject array)
{
    return ((const jint *)(const void *)array)[1];
}

/* The elements of an array. */
static inline void *java_elements(jobject array)
{
    return (jint *)(void *)array + 2;
}

static inline jbyte *java_bytes(jobject array)
{
    return (jbyte *)java_elements(array);
}

static inline jchar *java_chars(jobject array)
{
    return (jchar *)java_elements(array);
}

static inline jint *java_ints_of(jobject array)
{
    return (jint *)java_elements(array);
}

#endif
