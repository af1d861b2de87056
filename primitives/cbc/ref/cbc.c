/* Cipher block chaining (NIST SP 800-38A, section 6.2). */

#include "mode.h"
#include "wiping.h"

int OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                    size_t size)
{
    if (size % INNER_BLOCK != 0) {
        return -1;
    }
    for (size_t at = 0; at < size; at += INNER_BLOCK) {
        for (size_t i = 0; i < INNER_BLOCK; i++) {
            iv[i] = (uint8_t)(iv[i] ^ text[at + i]);
        }
        INNER_(encrypt)(keys, iv, iv);
        for (size_t i = 0; i < INNER_BLOCK; i++) {
            result[at + i] = iv[i];
        }
    }
    wipe_registers();
    return 0;
}

#ifdef INNER_DECRYPTS
int OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                    size_t size)
{
    uint8_t block[INNER_BLOCK];
    if (size % INNER_BLOCK != 0) {
        return -1;
    }
    for (size_t at = 0; at < size; at += INNER_BLOCK) {
        INNER_(decrypt)(keys, text + at, block);
        for (size_t i = 0; i < INNER_BLOCK; i++) {
            uint8_t next   = text[at + i];
            result[at + i] = (uint8_t)(block[i] ^ iv[i]);
            iv[i]          = next;
        }
    }
    wipe(block, sizeof block);
    wipe_registers();
    return 0;
}
#endif
