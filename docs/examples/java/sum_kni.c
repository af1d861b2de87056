/* `Sum.sum` by KNI: it asks for its arguments, holds the array in a handle and copies it. */

#include "kni.h"

KNIEXPORT KNI_RETURNTYPE_INT Java_Sum_sum()
{
    jbyte copied[16];
    jint  total = 0, count = KNI_GetParameterAsInt(2);
    KNI_StartHandles(1);
    KNI_DeclareHandle(data);
    KNI_GetParameterAsObject(1, data);
    KNI_GetRawArrayRegion(data, 0, count, copied);
    KNI_EndHandles();
    for (jint i = 0; i < count; i++) {
        total += copied[i];
    }
    KNI_ReturnInt(total);
}
