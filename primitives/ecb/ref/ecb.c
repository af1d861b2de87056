/* Electronic codebook (NIST SP 800-38A, section 6.1). Equal blocks have equal ciphertexts: use it for measurements
 * only. */

#include "mode.h"
#include "wiping.h"

int OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t *iv, const uint8_t *text, uint8_t *result, size_t size)
{
    (void)iv;
    if (size % INNER_BLOCK != 0) {
        return -1;
    }
    for (size_t at = 0; at < size; at += INNER_BLOCK) {
        INNER_(encrypt)(keys, text + at, result + at);
    }
    wipe_registers();
    return 0;
}

#ifdef INNER_DECRYPTS
int OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t *iv, const uint8_t *text, uint8_t *result, size_t size)
{
    (void)iv;
    if (size % INNER_BLOCK != 0) {
        return -1;
    }
    for (size_t at = 0; at < size; at += INNER_BLOCK) {
        INNER_(decrypt)(keys, text + at, result + at);
    }
    wipe_registers();
    return 0;
}
#endif
