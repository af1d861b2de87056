/* Access to the fields of objects from native methods: `java_fields.h`, which is written for a program's classes, names
 * each field by one of these macros.
 *
 * `at` is the field's word in the object. Objects do not move, and the collector does not run while C does, so a store
 * is a store. References to objects are handles by KNI. */

#ifndef COCRYPT_JAVA_FIELD_ACCESS_H
#define COCRYPT_JAVA_FIELD_ACCESS_H

#ifdef COCRYPT_KNI_H
#define JAVA_WORD_OF(reference, at) (((jint *)(void *)(reference)->object)[at])
#else
#include "java.h"
#define JAVA_WORD_OF(reference, at) (((jint *)(void *)(reference))[at])
#endif

/* A field of a type that a word holds. */
#define JAVA_FIELD(name, type, at) \
    static inline type java_get_##name(jobject self) \
    { \
        return (type)JAVA_WORD_OF(self, at); \
    } \
    static inline void java_set_##name(jobject self, type value) \
    { \
        JAVA_WORD_OF(self, at) = (jint)value; \
    }

/* A float, whose bits a word holds. */
#define JAVA_FLOAT_FIELD(name, type, at) \
    static inline type java_get_##name(jobject self) \
    { \
        type value; \
        __builtin_memcpy(&value, &JAVA_WORD_OF(self, at), sizeof value); \
        return value; \
    } \
    static inline void java_set_##name(jobject self, type value) \
    { \
        __builtin_memcpy(&JAVA_WORD_OF(self, at), &value, sizeof value); \
    }

/* A long or a double, whose bits two words hold, the lower ones first. */
#define JAVA_WIDE_FIELD(name, type, at) \
    static inline type java_get_##name(jobject self) \
    { \
        uint64_t bits = (uint64_t)(uint32_t)JAVA_WORD_OF(self, (at) + 1) << 32 | (uint32_t)JAVA_WORD_OF(self, at); \
        type     value; \
        __builtin_memcpy(&value, &bits, sizeof value); \
        return value; \
    } \
    static inline void java_set_##name(jobject self, type value) \
    { \
        uint64_t bits; \
        __builtin_memcpy(&bits, &value, sizeof bits); \
        JAVA_WORD_OF(self, at)       = (jint)bits; \
        JAVA_WORD_OF(self, (at) + 1) = (jint)(bits >> 32); \
    }

/* A reference to an object, which KNI copies into a handle. */
#ifdef COCRYPT_KNI_H
#define JAVA_OBJECT_FIELD(name, at) \
    static inline void java_get_##name(jobject self, jobject target) \
    { \
        target->object = (struct java_object *)JAVA_WORD_OF(self, at); \
    } \
    static inline void java_set_##name(jobject self, jobject value) \
    { \
        JAVA_WORD_OF(self, at) = (jint)value->object; \
    }
#else
#define JAVA_OBJECT_FIELD(name, at) JAVA_FIELD(name, jobject, at)
#endif

#endif
