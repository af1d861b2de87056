/* Loads and stores of words in either byte order, rotations, constant-time helpers, and wiping of memory. */

#ifndef BYTES_H
#define BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t load32_le(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t load32_be(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

static inline uint64_t load64_le(const uint8_t *at)
{
    return (uint64_t)load32_le(at) | (uint64_t)load32_le(at + 4) << 32;
}

static inline uint64_t load64_be(const uint8_t *at)
{
    return (uint64_t)load32_be(at) << 32 | (uint64_t)load32_be(at + 4);
}

static inline void store32_le(uint8_t *at, uint32_t word)
{
    at[0] = (uint8_t)word;
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    at[3] = (uint8_t)(word >> 24);
}

static inline void store32_be(uint8_t *at, uint32_t word)
{
    at[0] = (uint8_t)(word >> 24);
    at[1] = (uint8_t)(word >> 16);
    at[2] = (uint8_t)(word >> 8);
    at[3] = (uint8_t)word;
}

static inline void store64_le(uint8_t *at, uint64_t word)
{
    store32_le(at, (uint32_t)word);
    store32_le(at + 4, (uint32_t)(word >> 32));
}

static inline void store64_be(uint8_t *at, uint64_t word)
{
    store32_be(at, (uint32_t)(word >> 32));
    store32_be(at + 4, (uint32_t)word);
}

/* Load and store of a word in one access. Ask `has_words` first: it returns true if the address is aligned and the
 * processor is little-endian. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint32_t __attribute__((may_alias)) ALIGNED_WORD;

static inline int has_words(const uint8_t *at)
{
    return ((uintptr_t)at & 3) == 0;
}

static inline uint32_t load_word_le(const uint8_t *at)
{
    return *(const ALIGNED_WORD *)(const void *)at;
}

static inline void store_word_le(uint8_t *at, uint32_t word)
{
    *(ALIGNED_WORD *)(void *)at = word;
}
#else
static inline int has_words(const uint8_t *at)
{
    (void)at;
    return 0;
}

static inline uint32_t load_word_le(const uint8_t *at)
{
    return load32_le(at);
}

static inline void store_word_le(uint8_t *at, uint32_t word)
{
    store32_le(at, word);
}
#endif

static inline uint32_t load_word_be(const uint8_t *at)
{
    uint32_t word = load_word_le(at);
    return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

/* Rotations by 0 to 31 bits, or 0 to 63. */
static inline uint32_t rotl32(uint32_t word, unsigned places)
{
    return word << (places & 31) | word >> (-places & 31);
}

static inline uint32_t rotr32(uint32_t word, unsigned places)
{
    return word >> (places & 31) | word << (-places & 31);
}

static inline uint64_t rotl64(uint64_t word, unsigned places)
{
    return word << (places & 63) | word >> (-places & 63);
}

static inline uint64_t rotr64(uint64_t word, unsigned places)
{
    return word >> (places & 63) | word << (-places & 63);
}

/* Helpers for words that depend on a secret and must not cause a branch. ARMv6-M Thumb (Cortex-M0) has no conditional
 * instructions except branches, and a compiler that knows that a word is 0 or 1, or all ones, may branch on it:
 * `opaque` hides that from it. */
#if defined(__GNUC__) && defined(__thumb__) && !defined(__thumb2__)
static inline uint32_t opaque(uint32_t word)
{
    __asm__("" : "+r"(word));
    return word;
}

/* Returns 1 if a is below b: the borrow of a - b. */
static inline uint32_t is_less(uint32_t a, uint32_t b)
{
    uint32_t difference = opaque(a - b);
    return ((~a & b) | ((~a | b) & difference)) >> 31;
}
#else
static inline uint32_t opaque(uint32_t word)
{
    return word;
}

static inline uint32_t is_less(uint32_t a, uint32_t b)
{
    return a < b;
}
#endif

/* Like `opaque`, but on every core, for code in which compilers branch on other cores, too. */
static inline uint32_t value_barrier(uint32_t word)
{
#if defined(__AVR__)
    /* No register of AVR holds 32 bits. */
    __asm__("" : "+m"(word));
#elif defined(__GNUC__)
    __asm__("" : "+r"(word));
#endif
    return word;
}

/* Marks a value that depends on a secret and is made public on purpose, such as whether a tag is correct. An
 * instruction without effect is the mark for tools that track secrets through the program: a hint on RISC-V; on ARM
 * `bic` of no bits; in Thumb, and on AVR for every byte, a move of a register to itself. */
#if defined(__AVR__)
static inline uint32_t revealed_byte(uint8_t byte)
{
    __asm__ volatile("mov %0, %0" : "+r"(byte));
    return byte;
}
#endif

static inline uint32_t revealed(uint32_t word)
{
#ifdef __riscv
    __asm__ volatile("slti zero, %0, 0x5ec" : "+r"(word));
#elif defined(__thumb__) && __ARM_ARCH >= 6
    __asm__ volatile(".syntax unified\n\tmov %0, %0" : "+l"(word));
#elif defined(__arm__) && !defined(__thumb__)
    __asm__ volatile("bic %0, %0, #0" : "+r"(word));
#elif defined(__AVR__)
    word = revealed_byte((uint8_t)word) | revealed_byte((uint8_t)(word >> 8)) << 8 |
           revealed_byte((uint8_t)(word >> 16)) << 16 | revealed_byte((uint8_t)(word >> 24)) << 24;
#endif
    return word;
}

/* Clears memory, even if the compiler sees that nothing reads it afterwards. */
static inline void wipe(void *memory, size_t size)
{
    for (volatile uint8_t *at = memory; size > 0; size--) {
        *at++ = 0;
    }
}

/* Clears memory by words, in a quarter of the time: memory and size are multiples of four. */
static inline void wipe_aligned(void *memory, size_t size)
{
#if defined(__GNUC__)
    typedef uint32_t __attribute__((may_alias)) word;
    for (volatile word *at = memory; size > 0; size -= sizeof *at) {
        *at++ = 0;
    }
#else
    wipe(memory, size);
#endif
}

#endif
