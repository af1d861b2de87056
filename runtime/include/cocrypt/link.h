/* The link to other nodes of a network: packets of up to 2,048 bytes.
 *
 * A network plugs it into any device, behind its small peripherals. What came in is seen packet by packet: a
 * write to WAIT holds the core until there is one, drops what is left of the one before, and opens it. */

#ifndef COCRYPT_LINK_H
#define COCRYPT_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

#define COCRYPT_LINK (COCRYPT_PERIPHERALS + 0x60u)

/* Written: waits for a packet, so many cycles at most. Read: bytes of the open packet that were not read yet. */
#define LINK_WAIT (COCRYPT_LINK + 0x0u)
/* Written: begins a packet to a node. Read: the sender of the open packet. */
#define LINK_NODE (COCRYPT_LINK + 0x4u)
/* The next four bytes of the packet that is written, or of the open one; the lowest byte comes first. */
#define LINK_DATA (COCRYPT_LINK + 0x8u)
/* Written: sends the first so many bytes of what was written. Read: the node's own number. */
#define LINK_SEND (COCRYPT_LINK + 0xcu)

enum { LINK_BYTES = 2048 };

/* As long as it takes. */
#define LINK_FOREVER 0xffffffffu

/* Holds the core until a packet has come in, or so many cycles are over. Returns its bytes, 0 if none came. */
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

/* The next bytes of the open packet; what is beyond its end is 0. Only the last piece of a packet may be other
 * than whole words. */
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

/* Sends a packet of up to LINK_BYTES; returns before it is all out. */
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
