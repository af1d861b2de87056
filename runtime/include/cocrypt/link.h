/* The link to other nodes of a network: packets of up to 2,048 bytes.
 *
 * A simulated network adds it to any device, after its other peripherals. Received packets are read one at a time:
 * a write to WAIT discards the rest of the open packet, stalls the core until the next one is there, and opens it. */

#ifndef COCRYPT_LINK_H
#define COCRYPT_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

#define COCRYPT_LINK (COCRYPT_PERIPHERALS + 0x60u)

/* Write: waits for a packet, at most the written number of cycles. Read: unread bytes of the open packet. */
#define LINK_WAIT (COCRYPT_LINK + 0x0u)
/* Write: begins a packet to the node with this number. Read: the sender of the open packet. */
#define LINK_NODE (COCRYPT_LINK + 0x4u)
/* Write: the next four bytes of the new packet. Read: the next four of the open one. Both are little-endian. */
#define LINK_DATA (COCRYPT_LINK + 0x8u)
/* Write: sends the given number of bytes of the new packet. Read: the number of this node. */
#define LINK_SEND (COCRYPT_LINK + 0xcu)

enum { LINK_BYTES = 2048 };

/* No time limit. */
#define LINK_FOREVER 0xffffffffu

/* Stalls the core until a packet arrives, for at most `cycles`. Returns its size in bytes, or 0 if none arrived. */
static inline size_t link_wait(uint32_t cycles)
{
    device_write(LINK_WAIT, cycles);
    return device_read(LINK_WAIT);
}

/* The sender of the open packet. */
static inline uint32_t link_from(void)
{
    return device_read(LINK_NODE);
}

/* The number of this node. */
static inline uint32_t link_node(void)
{
    return device_read(LINK_SEND);
}

/* Reads the next bytes of the open packet; bytes after its end are 0. `size` must be a multiple of 4, except in the
 * last read of a packet. */
static inline void link_read(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word = device_read(LINK_DATA);
        for (size_t j = i; j < size && j < i + 4; j++) {
            bytes[j] = (uint8_t)word;
            word >>= 8;
        }
    }
}

/* Sends a packet of at most LINK_BYTES; returns before the transmission is complete. */
static inline void link_send(uint32_t to, const uint8_t *bytes, size_t size)
{
    device_write(LINK_NODE, to);
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word = 0;
        for (size_t j = i; j < size && j < i + 4; j++) {
            word |= (uint32_t)bytes[j] << (8 * (j - i));
        }
        device_write(LINK_DATA, word);
    }
    device_write(LINK_SEND, (uint32_t)size);
}

#endif
