/* The operations with the modulus (RFC 8017, section 5), with a check of the exponent. */

#include "rsa_raw.h"

#include "bytes.h"
#include "rsa_room.h"
#include "wiping.h"

STACK_ROOM(room_public, RSA_ROOM_PUBLIC)
STACK_ROOM(room_private, RSA_ROOM_PRIVATE)

/* The refusal of an exponent is public. */
int RSA(is_exponent)(const uint8_t *e, size_t size)
{
    uint32_t above = e[size - 1] & 0xfeu;
    for (size_t i = 0; i + 1 < size; i++) {
        above |= e[i];
    }
    return (int)revealed(opaque(0u - above) >> 31 & e[size - 1]);
}

int RSA(public)(const uint8_t n[RSA_BYTES], const uint8_t e[RSA_E_BYTES], const uint8_t message[RSA_BYTES],
                uint8_t result[RSA_BYTES])
{
    int refused = RSA(is_exponent)(e, RSA_E_BYTES) ? RSA(raw_public)(n, e, message, result) : -1;
    wipe_below(room_public());
    return refused;
}

int RSA(private)(const uint8_t n[RSA_BYTES], const uint8_t d[RSA_BYTES], const uint8_t message[RSA_BYTES],
                 uint8_t result[RSA_BYTES])
{
    int refused = RSA(is_exponent)(d, RSA_BYTES) ? RSA(raw_private)(n, d, message, result) : -1;
    wipe_below(room_private());
    return refused;
}
