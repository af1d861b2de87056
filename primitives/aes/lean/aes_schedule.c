/* Key expansion, a word at a time (FIPS 197, section 5.2). */

#include "aes_schedule.h"
#include "aes_sbox.h"
#include "wiping.h"

#define BYTE(s) s
const uint8_t AES(sbox)[256] = {AES_SBOX(BYTE)};

static uint32_t substituted(uint32_t word)
{
    uint32_t made = 0;
    for (unsigned i = 0; i < 4; i++) {
        made = made << 8 | AES(sbox)[word >> 24];
        word <<= 8;
    }
    return made;
}

/* The n-th round constant, n from 1: a power of 2 in GF(2^8). */
static uint32_t constant(unsigned n)
{
    return n < 9 ? 1u << (n - 1) : 0x1bu << (n - 9);
}

uintptr_t AES(step)(uint32_t window[AES_KEY_WORDS], unsigned i)
{
    unsigned at   = i % AES_KEY_WORDS;
    uint32_t word = window[(at + AES_KEY_WORDS - 1) % AES_KEY_WORDS];
    if (at == 0) {
        word = substituted(word >> 8 | word << 24) ^ constant(i / AES_KEY_WORDS);
    } else if (AES_KEY_WORDS == 8 && at == 4) {
        word = substituted(word);
    }
    window[at] ^= word;
    return stack_depth();
}

void AES(expand)(AES_KEYS *keys, const uint8_t key[AES_KEY_BYTES])
{
    for (unsigned i = 0; i < AES_KEY_BYTES; i++) {
        keys->key[i] = key[i];
    }
    wipe_registers();
}
