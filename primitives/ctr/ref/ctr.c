/* Counter mode (NIST SP 800-38A, section 6.5): encrypts counter blocks, for encryption and decryption alike. */

#include "mode.h"
#include "wiping.h"

/* Increments the counter block; the number of carries depends on the counter, which is public. */
static void count(uint8_t block[INNER_BLOCK])
{
    for (size_t i = INNER_BLOCK; i-- > 0;) {
        if (++block[i] != 0) {
            return;
        }
    }
}

void OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                     size_t size)
{
    uint8_t stream[INNER_BLOCK];
    for (size_t at = 0; at < size; at += INNER_BLOCK) {
        size_t rest = size - at;
        size_t some = rest < INNER_BLOCK ? rest : INNER_BLOCK;
        INNER_(encrypt)(keys, iv, stream);
        count(iv);
        for (size_t i = 0; i < some; i++) {
            result[at + i] = (uint8_t)(text[at + i] ^ stream[i]);
        }
    }
    wipe(stream, sizeof stream);
    wipe_registers();
}

void OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t iv[INNER_BLOCK], const uint8_t *text, uint8_t *result,
                     size_t size)
{
    OUTER_(encrypt)(keys, iv, text, result, size);
}
