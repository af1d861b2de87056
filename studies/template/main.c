/* What is measured: from reset to the end of main. */

#include "checksum.h"

uint8_t output[32];

int main(void)
{
    checksum((const uint8_t *)"abc", 3, output);
    return 0;
}
