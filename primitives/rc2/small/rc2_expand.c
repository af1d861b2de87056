/* Key expansion (RFC 2268, section 2): in bytes, which are then packed into words in place. */

#include "rc2.h"
#include "wiping.h"

void rc2_expand(RC2_KEYS *keys, const uint8_t key[RC2_KEY_BYTES])
{
    uint8_t *bytes = (uint8_t *)keys->k;
    for (unsigned i = 0; i < RC2_KEY_BYTES; i++) {
        bytes[i] = key[i];
    }
    for (unsigned i = 16; i < 128; i++) {
        bytes[i] = rc2_pi[(bytes[i - 1] + bytes[i - 16]) % 256];
    }
    bytes[112] = rc2_pi[bytes[112]];
    for (unsigned i = 112; i-- > 0;) {
        bytes[i] = rc2_pi[bytes[i + 1] ^ bytes[i + 16]];
    }
    for (unsigned i = 0; i < 64; i++) {
        keys->k[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    }
    wipe_registers();
}
