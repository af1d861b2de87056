/* Decryption (GIFT-COFB v1.1, section 2.4). */

#include "cofb.h"
#include "gift_cofb.h"

int gift_cofb_open(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
                   const uint8_t *text, size_t text_size, uint8_t *result)
{
    if (text_size < 16) {
        return -1;
    }
    return cofb_crypt(key, nonce, ad, ad_size, text, text_size - 16, result, COFB_OPEN);
}
