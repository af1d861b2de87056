/* Electronic codebook (NIST SP 800-38A, section 6.1). Equal blocks stay equal: it is here for measuring. */

#include "mode.h"

void OUTER_(encrypt)(const INNER_CONTEXT *keys, uint8_t *iv, const uint8_t *text, uint8_t *result, size_t size)
{
    (void)iv;
    for (size_t at = 0; at + INNER_BLOCK <= size; at += INNER_BLOCK) {
        INNER_(encrypt)(keys, text + at, result + at);
    }
}

#ifdef INNER_DECRYPTS
void OUTER_(decrypt)(const INNER_CONTEXT *keys, uint8_t *iv, const uint8_t *text, uint8_t *result, size_t size)
{
    (void)iv;
    for (size_t at = 0; at + INNER_BLOCK <= size; at += INNER_BLOCK) {
        INNER_(decrypt)(keys, text + at, result + at);
    }
}
#endif
