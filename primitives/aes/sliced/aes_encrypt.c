/* Bit-sliced encryption of a block (FIPS 197, section 5.1). */

#include "aes_substitution.h"
#include "wiping.h"

/* ShiftRows: rotates rows 2 and 3 by two columns, then rows 1 and 3 by one. */
static inline uint32_t shifted(uint32_t slice)
{
    uint32_t both = (slice ^ slice >> 2) & 0x33330000;
    slice ^= both ^ both << 2;
    return (slice & 0x00ff00ff) | (slice >> 1 & 0x77007700) | (slice << 3 & 0x88008800);
}

static inline AES_BLOCK shift_rows(AES_BLOCK s)
{
    return (AES_BLOCK){shifted(s.a), shifted(s.b), shifted(s.c), shifted(s.d)};
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t encrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    AES_BLOCK s = aes_added(aes_sliced(aes_load(text)), keys->w);
    for (unsigned round = 1;; round++) {
        AES_BITS made = aes_substituted(aes_bits(s));
        s = shift_rows(aes_slices(&made));
        if (round == AES_ROUNDS) {
            break;
        }
        s = aes_added(aes_mixed(s), keys->w + 4 * round);
    }
    aes_store(result, aes_sliced(aes_added(s, keys->w + 4 * AES_ROUNDS)));
    return stack_depth();
}

void AES(encrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(encrypt(keys, text, result));
}
