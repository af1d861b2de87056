/* The functions of the K Native Interface. `kni.h` declares them for native methods, with handles; the machine's own
 * declarations are in `vm.h`, so the handle's type is repeated here in place of that header. */

#include <string.h>

#include "floating.h"
#include "vm.h"

typedef struct {
    java_object *object;
} *handle;

const int32_t *kni_arguments;

jint KNI_GetVersion(void);
jint KNI_GetVersion(void)
{
    return 0x00010000;
}

jint KNI_GetParameterAsInt(jint index);
jint KNI_GetParameterAsInt(jint index)
{
    return kni_arguments[index - 1];
}

jboolean KNI_GetParameterAsBoolean(jint index);
jboolean KNI_GetParameterAsBoolean(jint index)
{
    return (jboolean)kni_arguments[index - 1];
}

jbyte KNI_GetParameterAsByte(jint index);
jbyte KNI_GetParameterAsByte(jint index)
{
    return (jbyte)kni_arguments[index - 1];
}

jchar KNI_GetParameterAsChar(jint index);
jchar KNI_GetParameterAsChar(jint index)
{
    return (jchar)kni_arguments[index - 1];
}

jshort KNI_GetParameterAsShort(jint index);
jshort KNI_GetParameterAsShort(jint index)
{
    return (jshort)kni_arguments[index - 1];
}

jlong KNI_GetParameterAsLong(jint index);
jlong KNI_GetParameterAsLong(jint index)
{
    return java_get_long(kni_arguments + index - 1);
}

jfloat KNI_GetParameterAsFloat(jint index);
jfloat KNI_GetParameterAsFloat(jint index)
{
    return java_float(kni_arguments[index - 1]);
}

jdouble KNI_GetParameterAsDouble(jint index);
jdouble KNI_GetParameterAsDouble(jint index)
{
    return java_double(java_get_long(kni_arguments + index - 1));
}

void KNI_GetParameterAsObject(jint index, handle target);
void KNI_GetParameterAsObject(jint index, handle target)
{
    target->object = (java_object *)(uintptr_t)kni_arguments[index - 1];
}

void KNI_GetThisPointer(handle target);
void KNI_GetThisPointer(handle target)
{
    target->object = (java_object *)(uintptr_t)kni_arguments[-1];
}

jint KNI_GetArrayLength(handle array);
jint KNI_GetArrayLength(handle array)
{
    return java_length(array->object);
}

jbyte KNI_GetByteArrayElement(handle array, jint index);
jbyte KNI_GetByteArrayElement(handle array, jint index)
{
    return java_bytes(array->object)[index];
}

jchar KNI_GetCharArrayElement(handle array, jint index);
jchar KNI_GetCharArrayElement(handle array, jint index)
{
    return java_chars(array->object)[index];
}

jint KNI_GetIntArrayElement(handle array, jint index);
jint KNI_GetIntArrayElement(handle array, jint index)
{
    return java_ints_of(array->object)[index];
}

void KNI_SetByteArrayElement(handle array, jint index, jbyte value);
void KNI_SetByteArrayElement(handle array, jint index, jbyte value)
{
    java_bytes(array->object)[index] = value;
}

void KNI_SetCharArrayElement(handle array, jint index, jchar value);
void KNI_SetCharArrayElement(handle array, jint index, jchar value)
{
    java_chars(array->object)[index] = value;
}

void KNI_SetIntArrayElement(handle array, jint index, jint value);
void KNI_SetIntArrayElement(handle array, jint index, jint value)
{
    java_ints_of(array->object)[index] = value;
}

void KNI_GetObjectArrayElement(handle array, jint index, handle target);
void KNI_GetObjectArrayElement(handle array, jint index, handle target)
{
    target->object = (java_object *)(uintptr_t)java_ints_of(array->object)[index];
}

void KNI_GetRawArrayRegion(handle array, jint offset, jint size, jbyte *target);
void KNI_GetRawArrayRegion(handle array, jint offset, jint size, jbyte *target)
{
    memcpy(target, java_bytes(array->object) + offset, (size_t)size);
}

void KNI_SetRawArrayRegion(handle array, jint offset, jint size, const jbyte *source);
void KNI_SetRawArrayRegion(handle array, jint offset, jint size, const jbyte *source)
{
    memcpy(java_bytes(array->object) + offset, source, (size_t)size);
}

/* Names of classes in an image have dots. */
static int is_named(const java_class *type, const char *name)
{
    const char *own = type->name;
    while (*own && (*own == *name || (*own == '.' && *name == '/'))) {
        own++;
        name++;
    }
    return !*own && !*name;
}

jint KNI_ThrowNew(const char *name, const char *message);
jint KNI_ThrowNew(const char *name, const char *message)
{
    (void)message;
    const java_class *thrown = java_classes + java_error_class, *throwable = thrown->super;
    for (uint16_t i = 0; i < java_class_count; i++) {
        if (is_named(java_classes + i, name) && java_is(java_classes + i, throwable)) {
            thrown = java_classes + i;
        }
    }
    java_object *made = java_new(thrown);
    if (made) {
        java_pending = made;
    }
    return made ? 0 : -1;
}
