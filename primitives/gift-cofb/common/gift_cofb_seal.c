/* Encryption (GIFT-COFB v1.1, section 2.4). */

#include "cofb.h"
#include "gift_cofb.h"

void gift_cofb_seal(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *ad, size_t ad_size,
                    const uint8_t *text, size_t text_size, uint8_t *result)
{
    (void)cofb_crypt(key, nonce, ad, ad_size, text, text_size, result, COFB_SEAL);
}
