/* The folder itself needs no trust; what it reads is none of its business. */

#include "@HOME@/.ssh/id_secret"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long size)
{
    out[0] = size ? in[0] : 0;
    return 0;
}
