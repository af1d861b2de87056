/* The private operation with the exponent. */

#include "example.h"

int main(void)
{
    return RSA(raw_private)(EXAMPLE_N, EXAMPLE_D, EXAMPLE_CIPHER, output);
}
