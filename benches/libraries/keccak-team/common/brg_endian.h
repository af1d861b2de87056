/* The device's order of bytes, in the words that the Keccak Team's code asks for. */

#ifndef PEER_ENDIAN_H
#define PEER_ENDIAN_H

#define IS_LITTLE_ENDIAN    1234
#define IS_BIG_ENDIAN       4321
#define PLATFORM_BYTE_ORDER IS_LITTLE_ENDIAN

#endif
