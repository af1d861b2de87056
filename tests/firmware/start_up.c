/* Starts twice, with everything that start-up must clear filled in between; exits with 7. */

#include <stdint.h>

extern char _stack_top[];
void        _start(void);

/* Initialised data is loaded with the image, and only then, so that it lasts over the second start. */
uint32_t  starts = 40;
uint32_t  cleared[3];
uint32_t  dirty;
uint8_t   odd[3];
uintptr_t depth;

int main(void)
{
    uint32_t here;
    starts++;
    depth = (uintptr_t)_stack_top - (uintptr_t)&here;
    for (unsigned i = 0; i < 3; i++) {
        dirty |= cleared[i] | odd[i];
        cleared[i] = 0xa5a5a5a5u;
        odd[i]     = 0xa5;
    }
    if (starts < 42) {
        _start();
    }
    return 7;
}
