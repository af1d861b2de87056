/* Cipher of lib/aes.c by the smaller coprocessor: the first round key is the key. */

#include "aes128_serial_registers.h"

#include "cocrypt/device.h"

#include <string.h>

void Cipher(uint8_t (*state)[4][4], const uint8_t *round_keys);

void Cipher(uint8_t (*state)[4][4], const uint8_t *round_keys)
{
    uint32_t key[4], text[4];
    memcpy(key, round_keys, sizeof key);
    memcpy(text, state, sizeof text);
    aes128_serial_run(COCRYPT_COPROCESSOR, key, text, text, AES128_SERIAL_CONTROL_START);
    memcpy(state, text, sizeof text);
}
