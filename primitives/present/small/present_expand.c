/* The key schedule (Bogdanov and others, CHES 2007, section 3 and appendix II). */

#include "small.h"
#include "wiping.h"

/* The key update after the rotation: S-box and round counter. */
static void update(uint8_t key[PRESENT_KEY_BYTES], unsigned round)
{
    unsigned high = present_sbox[key[0] >> 4], low = key[0] & 15;
#if PRESENT_KEY_BYTES == 16
    key[0] = (uint8_t)(high << 4 | (present_sbox[low] & 15));
    key[7] ^= (uint8_t)(round >> 2);
    key[8] ^= (uint8_t)(round << 6);
#else
    key[0] = (uint8_t)(high << 4 | low);
    key[7] ^= (uint8_t)(round >> 1);
    key[8] ^= (uint8_t)(round << 7);
#endif
}

/* Each key state is written completely, and the next one overwrites all but its first eight bytes. The left rotation by
 * 61 bits is one by eight bytes, and back by three bits. */
void present_expand(PRESENT_KEYS *keys, const uint8_t key[PRESENT_KEY_BYTES])
{
    uint8_t  now[PRESENT_KEY_BYTES];
    uint8_t *was = keys->round;
    for (unsigned round = 1; round <= PRESENT_ROUNDS + 1; round++) {
        for (unsigned i = 0; i < PRESENT_KEY_BYTES; i++) {
            was[i] = key[i];
        }
        for (unsigned i = 0; i < PRESENT_KEY_BYTES; i++) {
            unsigned high = was[(i + 7) % PRESENT_KEY_BYTES], low = was[(i + 8) % PRESENT_KEY_BYTES];
            now[i] = (uint8_t)(high << 5 | low >> 3);
        }
        update(now, round);
        key = now;
        was += 8;
    }
    wipe(now, sizeof now);
    wipe_registers();
}
