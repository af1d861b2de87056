/* Native methods in C by the K Native Interface (KNI Specification, K Native Interface 1.0, chapter 3).
 *
 * A native method is a function without parameters, by the name that JNI gives it. It asks for its arguments, holds
 * objects in handles, and copies what it needs of arrays. What looks classes and fields up by name is left out, since
 * no names of fields are in an image; so is what makes strings. `java.h` is the other face of native methods. */

#ifndef COCRYPT_KNI_H
#define COCRYPT_KNI_H

#include <stdint.h>

typedef int8_t   jbyte;
typedef uint8_t  jboolean;
typedef uint16_t jchar;
typedef int16_t  jshort;
typedef int32_t  jint;
typedef int64_t  jlong;
typedef float    jfloat;
typedef double   jdouble;
typedef jint     jsize;

struct java_object;

/* A handle holds a reference to an object, or null. */
struct kni_handle {
    struct java_object *object;
};
typedef struct kni_handle *jobject;
typedef jobject            jarray;
typedef jobject            jbyteArray;
typedef jobject            jcharArray;
typedef jobject            jintArray;
typedef jobject            jobjectArray;
typedef jobject            jstring;

#define KNI_TRUE    1
#define KNI_FALSE   0
#define KNI_OK      0
#define KNI_ERR     (-1)
#define KNI_VERSION 0x00010000

#define KNIEXPORT              extern
#define KNI_RETURNTYPE_VOID    void
#define KNI_RETURNTYPE_BOOLEAN jboolean
#define KNI_RETURNTYPE_BYTE    jbyte
#define KNI_RETURNTYPE_CHAR    jchar
#define KNI_RETURNTYPE_SHORT   jshort
#define KNI_RETURNTYPE_INT     jint
#define KNI_RETURNTYPE_LONG    jlong
#define KNI_RETURNTYPE_FLOAT   jfloat
#define KNI_RETURNTYPE_DOUBLE  jdouble
#define KNI_RETURNTYPE_OBJECT  struct java_object *

jint KNI_GetVersion(void);

/* Arguments by the number of their first slot: the first is 1, and a long or a double takes two. */
jint     KNI_GetParameterAsInt(jint index);
jboolean KNI_GetParameterAsBoolean(jint index);
jbyte    KNI_GetParameterAsByte(jint index);
jchar    KNI_GetParameterAsChar(jint index);
jshort   KNI_GetParameterAsShort(jint index);
jlong    KNI_GetParameterAsLong(jint index);
jfloat   KNI_GetParameterAsFloat(jint index);
jdouble  KNI_GetParameterAsDouble(jint index);
void     KNI_GetParameterAsObject(jint index, jobject handle);
void     KNI_GetThisPointer(jobject handle);

/* Handles, up to the end of the block. Objects do not move, and arguments stay on Java's stack. */
#define KNI_StartHandles(count) { enum { kni_handles = (count) };
#define KNI_DeclareHandle(handle) struct kni_handle handle##_held = {0}; jobject const handle = &handle##_held
#define KNI_EndHandles() (void)kni_handles; }
#define KNI_EndHandlesAndReturnObject(handle) (void)kni_handles; return (handle)->object; }
#define KNI_IsNullHandle(handle) ((handle)->object == 0)
#define KNI_IsSameObject(one, other) ((one)->object == (other)->object)
#define KNI_ReleaseHandle(handle) ((void)((handle)->object = 0))

#define KNI_ReturnVoid()         return
#define KNI_ReturnBoolean(value) return (value)
#define KNI_ReturnByte(value)    return (value)
#define KNI_ReturnChar(value)    return (value)
#define KNI_ReturnShort(value)   return (value)
#define KNI_ReturnInt(value)     return (value)
#define KNI_ReturnLong(value)    return (value)
#define KNI_ReturnFloat(value)   return (value)
#define KNI_ReturnDouble(value)  return (value)

/* Arrays. As in the specification nothing is checked: handles are not null, and indices are within. */
jsize    KNI_GetArrayLength(jarray array);
jbyte    KNI_GetByteArrayElement(jbyteArray array, jint index);
jchar    KNI_GetCharArrayElement(jcharArray array, jint index);
jint     KNI_GetIntArrayElement(jintArray array, jint index);
void     KNI_SetByteArrayElement(jbyteArray array, jint index, jbyte value);
void     KNI_SetCharArrayElement(jcharArray array, jint index, jchar value);
void     KNI_SetIntArrayElement(jintArray array, jint index, jint value);
void     KNI_GetObjectArrayElement(jobjectArray array, jint index, jobject handle);

/* Copies bytes of an array's contents, whatever its elements are; offset and size count bytes. */
void KNI_GetRawArrayRegion(jarray array, jsize offset, jsize size, jbyte *target);
void KNI_SetRawArrayRegion(jarray array, jsize offset, jsize size, const jbyte *source);

/* Throws an exception of a class of the image when the method returns, or an Error if the image has no such class. The
 * name is with slashes; the message is left out, as in all exceptions of the machine. */
jint KNI_ThrowNew(const char *name, const char *message);

#endif
