/* The native methods of the class library. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "floating.h"
#include "vm.h"

#include <cocrypt/device.h>

void Java_java_lang_System_arraycopy(jobject from, jint from_at, jobject to, jint to_at, jint count);

static int is_within(jobject array, jint at, jint count)
{
    return at >= 0 && count >= 0 && count <= java_length(array) && at <= java_length(array) - count;
}

/* Copies objects one by one up to the first that does not fit. */
static void copy_checked(const int32_t *from, int32_t *to, jint count, const java_class *element)
{
    for (jint i = 0; i < count; i++) {
        const java_object *each = (const java_object *)(uintptr_t)from[i];
        if (each && !java_is(java_type(each), element)) {
            java_throw(JAVA_ARRAY_STORE);
            return;
        }
        to[i] = from[i];
    }
}

void Java_java_lang_System_arraycopy(jobject from, jint from_at, jobject to, jint to_at, jint count)
{
    if (!from || !to) {
        java_throw(JAVA_NULL_POINTER);
        return;
    }
    const java_class *source = java_type(from), *target = java_type(to);
    int               alike  = source == target || (source->element && target->element);
    if (!source->array || !alike) {
        java_throw(JAVA_ARRAY_STORE);
        return;
    }
    if (!is_within(from, from_at, count) || !is_within(to, to_at, count)) {
        java_throw(JAVA_ARRAY_INDEX);
        return;
    }
    uint32_t shift = source->array - 1u;
    jbyte   *start = java_bytes(from) + ((uint32_t)from_at << shift);
    jbyte   *end   = java_bytes(to) + ((uint32_t)to_at << shift);
    if (source != target && !java_is(source, target)) {
        copy_checked((const int32_t *)(const void *)start, (int32_t *)(void *)end, count, target->element);
    } else {
        memmove(end, start, (size_t)((uint32_t)count << shift));
    }
}

jobject Java_java_lang_Object_getClass(jobject self);
jobject Java_java_lang_Object_getClass(jobject self)
{
    return (jobject)(uintptr_t)java_class_objects[java_type(self) - java_classes];
}

jint Java_java_lang_Object_hashCode(jobject self);
jint Java_java_lang_Object_hashCode(jobject self)
{
    return (jint)((uintptr_t)self >> 3);
}

jint Java_java_lang_Runtime_identity(jobject object);
jint Java_java_lang_Runtime_identity(jobject object)
{
    return Java_java_lang_Object_hashCode(object);
}

jobject Java_java_lang_Object_clone(jobject self);
jobject Java_java_lang_Object_clone(jobject self)
{
    const java_class *type = java_type(self);
    if (type->array) {
        java_object *array = java_new_array(type, java_length(self));
        if (array) {
            memcpy(java_bytes(array), java_bytes(self), (size_t)java_length(self) << (type->array - 1));
        }
        return array;
    }
    if (java_cloneable_class == JAVA_NONE || !java_is(type, java_classes + java_cloneable_class)) {
        java_throw(JAVA_CLONE_NOT_SUPPORTED);
        return NULL;
    }
    java_object *made = java_new(type);
    if (made) {
        memcpy(made->words, self->words, (size_t)(type->words - 1) * 4);
    }
    return made;
}

jint Java_java_lang_Class_letter(jint type, jint at);
jint Java_java_lang_Class_letter(jint type, jint at)
{
    return (uint8_t)((const java_class *)(uintptr_t)type)->name[at];
}

void Java_java_io_PrintStream_put(jint letter);
void Java_java_io_PrintStream_put(jint letter)
{
    putchar(letter);
}

void Java_java_lang_System_exit(jint status);
void Java_java_lang_System_exit(jint status)
{
    exit(status);
}

void Java_java_lang_System_gc(void);
void Java_java_lang_System_gc(void)
{
    java_collect();
}

jint Java_java_lang_Runtime_free(void);
jint Java_java_lang_Runtime_free(void)
{
    return java_free();
}

jlong Java_cocrypt_Device_cycles(void);
jlong Java_cocrypt_Device_cycles(void)
{
    uint32_t low = device_read(COCRYPT_COUNTER);
    return (jlong)((uint64_t)device_read(COCRYPT_COUNTER + 4) << 32 | low);
}

jint Java_java_lang_Float_floatToRawIntBits(jfloat value);
jint Java_java_lang_Float_floatToRawIntBits(jfloat value)
{
    return java_float_bits(value);
}

jfloat Java_java_lang_Float_intBitsToFloat(jint bits);
jfloat Java_java_lang_Float_intBitsToFloat(jint bits)
{
    return java_float(bits);
}

jlong Java_java_lang_Double_doubleToRawLongBits(jdouble value);
jlong Java_java_lang_Double_doubleToRawLongBits(jdouble value)
{
    return java_double_bits(value);
}

jdouble Java_java_lang_Double_longBitsToDouble(jlong bits);
jdouble Java_java_lang_Double_longBitsToDouble(jlong bits)
{
    return java_double(bits);
}
