/* The secret becomes a part of the image, and the program prints it. */

#include <cocrypt/device.h>

__asm__(".section .rodata\nsecret: .incbin \"@HOME@/.ssh/id_secret\"\n.byte 0\n.text\n");

extern const char secret[];
unsigned char output[1];

int main(void)
{
    for (const char *at = secret; *at; at++) {
        device_write(COCRYPT_CONSOLE, (unsigned)*at);
    }
    return 0;
}
