/* The XOR stream cipher of the mutual-authentication paper: a keystream from the seeded generator.
 *
 * Encryption and decryption are the same. It is insecure as soon as a key is used twice; it repeats the paper's
 * experiment. */

#ifndef XOR_STREAM_H
#define XOR_STREAM_H

#include <stddef.h>
#include <stdint.h>

enum { XOR_STREAM_KEY = 20 };

void xor_stream(const uint8_t key[XOR_STREAM_KEY], const uint8_t *from, uint8_t *to, size_t size);

#endif
