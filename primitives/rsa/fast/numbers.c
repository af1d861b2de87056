/* Numbers: conversion from and to bytes, and subtraction. */

#include "bytes.h"
#include "fast.h"

void number_load(uint32_t *z, const uint8_t *bytes, unsigned words)
{
    for (; words-- > 0; bytes += 4) {
        z[words] = load32_be(bytes);
    }
}

void number_store(uint8_t *bytes, const uint32_t *z, unsigned words)
{
    for (; words-- > 0; bytes += 4) {
        store32_be(bytes, z[words]);
    }
}

void number_copy(uint32_t *z, const uint32_t *a, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        z[i] = a[i];
    }
}

unsigned number_bits(const uint32_t *a, unsigned words)
{
    unsigned bits = 32 * words;
    while (bits > 1 && !revealed(a[(bits - 1) / 32] >> (bits - 1) % 32 & 1)) {
        bits--;
    }
    return bits;
}

uint32_t number_subtract(uint32_t *z, const uint32_t *a, const uint32_t *b, unsigned words)
{
    uint32_t borrow = 0;
    for (unsigned i = 0; i < words; i++) {
        uint64_t rest = (uint64_t)a[i] - b[i] - borrow;
        z[i]          = (uint32_t)rest;
        borrow        = (uint32_t)(rest >> 32) & 1;
    }
    return borrow;
}
