/* The private operation with the primes. */

#include "example.h"

int main(void)
{
    return RSA(raw_private_crt)(EXAMPLE_P, EXAMPLE_Q, EXAMPLE_DP, EXAMPLE_DQ, EXAMPLE_QINV, EXAMPLE_CIPHER,
                                output);
}
