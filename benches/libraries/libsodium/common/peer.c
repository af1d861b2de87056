/* What libsodium's algorithms want of the rest of it, which takes a system. */

#include <stddef.h>

void sodium_memzero(void *memory, size_t size)
{
    memset(memory, 0, size);
    /* Whoever might read the memory keeps the compiler from leaving this out. */
    __asm__ volatile("" : : "r"(memory) : "memory");
}

int sodium_memcmp(const void *a, const void *b, size_t size)
{
    const volatile unsigned char *one = a, *other = b;
    unsigned char                 differs = 0;

    for (size_t index = 0; index < size; index++)
        differs |= one[index] ^ other[index];
    return differs ? -1 : 0;
}

int sodium_is_zero(const unsigned char *at, size_t size)
{
    volatile unsigned char all = 0;

    for (size_t index = 0; index < size; index++)
        all |= at[index];
    return all == 0;
}

_Noreturn void sodium_misuse(void)
{
    for (;;) {
    }
}
