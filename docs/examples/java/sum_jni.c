/* `Sum.sum` with its arguments as parameters, as JNI has them, and the array where it is. */

#include "java.h"

jint Java_Sum_sum(jobject data, jint count)
{
    jint total = 0;
    for (jint i = 0; i < count; i++) {
        total += java_bytes(data)[i];
    }
    return total;
}
