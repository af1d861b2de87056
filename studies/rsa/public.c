/* The public operation, with the exponent 65,537. */

#include "example.h"

int main(void)
{
    return RSA(raw_public)(EXAMPLE_N, EXAMPLE_E, EXAMPLE_MESSAGE, output);
}
