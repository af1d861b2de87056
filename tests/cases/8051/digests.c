/* SHA-1 or SHA-256 of a message, or a block of AES-128 (FIPS 197, appendix B), as hexadecimal digits on the
 * console. One of them: direct addresses have no room for the local variables of all.
 *
 * The device's own addresses are those of docs/8051.md. */

#include <8052.h>

#if defined(USE_SHA1)
#include "sha1.h"
#elif defined(USE_SHA256)
#include "sha256.h"
#else
#include "aes128.h"
#endif

#define EXIT ((__xdata volatile uint8_t *)0xf020)

enum { LENGTH = 70 };

static uint8_t result[32];

/* Other simulators have a transmitter that is busy, in front of which a program would wait. */
static void send(uint8_t character)
{
#ifdef QUIET
    (void)character;
#else
    while (!TI)
        ;
    SBUF = character;
#endif
}

static void digit(uint8_t value)
{
    send((uint8_t)(value < 10 ? '0' + value : 'a' - 10 + value));
}

static void print(uint8_t length)
{
    for (uint8_t at = 0; at < length; at++) {
        digit(result[at] >> 4);
        digit(result[at] & 15);
    }
    send('\n');
}

#if defined(USE_AES128)

static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t text[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};

static void compute(void)
{
    static AES128_KEYS keys;
    aes128_expand(&keys, key);
    aes128_encrypt(&keys, text, result);
    print(AES128_BYTES);
}

#else

static uint8_t message[LENGTH];

static void hash(void);

static void compute(void)
{
    for (uint8_t at = 0; at < LENGTH; at++)
        message[at] = (uint8_t)(at * at + 1);
    hash();
}

#if defined(USE_SHA1)

static void hash(void)
{
    static SHA1 state;
    sha1_init(&state);
    sha1_update(&state, message, LENGTH);
    sha1_final(&state, result);
    print(SHA1_BYTES);
}

#else

static void hash(void)
{
    static SHA256 state;
    sha256_init(&state);
    sha256_update(&state, message, LENGTH);
    sha256_final(&state, result);
    print(SHA256_BYTES);
}

#endif
#endif

void main(void)
{
    compute();
    EXIT[3] = EXIT[2] = EXIT[1] = EXIT[0] = 0;
    for (;;)
        ;
}
