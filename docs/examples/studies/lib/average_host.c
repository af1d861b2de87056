/* A program for the host, which the study excludes. */

#include <stdint.h>
#include <stdio.h>

uint32_t average(uint32_t a, uint32_t b);

int main(void)
{
    printf("%u\n", (unsigned)average(3, 8));
    return 0;
}
