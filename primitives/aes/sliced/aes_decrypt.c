/* Bit-sliced decryption of a block (FIPS 197, section 5.3). */

#include "aes_substitution.h"
#include "wiping.h"

/* InvShiftRows: rotates rows 2 and 3 by two columns, then rows 1 and 3 by one column to the right. */
static inline uint32_t unshifted(uint32_t slice)
{
    uint32_t both = (slice ^ slice >> 2) & 0x33330000;
    slice ^= both ^ both << 2;
    return (slice & 0x00ff00ff) | (slice << 1 & 0xee00ee00) | (slice >> 3 & 0x11001100);
}

static inline AES_BLOCK unshift_rows(AES_BLOCK s)
{
    return (AES_BLOCK){unshifted(s.a), unshifted(s.b), unshifted(s.c), unshifted(s.d)};
}

/* Preprocessing for InvMixColumns: adds to each byte four times the sum of itself and the byte two rows below, after
 * which MixColumns gives the coefficients 14 = 2 + 12, 11 = 3 + 8, 13 = 1 + 12, 9 = 1 + 8, with 12 = 4 + 8. */
static inline AES_BLOCK unmixed(AES_BLOCK s)
{
    AES_BLOCK far = {s.a ^ rotr32(s.a, 16), s.b ^ rotr32(s.b, 16), s.c ^ rotr32(s.c, 16), s.d ^ rotr32(s.d, 16)};
    far           = aes_doubled(aes_doubled(far));
    return aes_mixed((AES_BLOCK){s.a ^ far.a, s.b ^ far.b, s.c ^ far.c, s.d ^ far.d});
}

/* Returns its stack depth, for wipe_below(). */
static NOINLINE uintptr_t decrypt(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    AES_BLOCK s = aes_added(aes_sliced(aes_load(text)), keys->w + 4 * AES_ROUNDS);
    for (unsigned round = AES_ROUNDS; round-- > 0;) {
        AES_BITS made = aes_unmapped(aes_substituted(aes_unmapped(aes_bits(unshift_rows(s)))));
        s = aes_added(aes_slices(&made), keys->w + 4 * round);
        if (round > 0) {
            s = unmixed(s);
        }
    }
    aes_store(result, aes_sliced(s));
    return stack_depth();
}

void AES(decrypt)(const AES_KEYS *keys, const uint8_t text[AES_BYTES], uint8_t result[AES_BYTES])
{
    wipe_below(decrypt(keys, text, result));
}
