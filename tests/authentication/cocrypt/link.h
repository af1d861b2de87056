/* Stands in for the runtime's header when firmware runs on the host; functions as there. */

#ifndef COCRYPT_LINK_H
#define COCRYPT_LINK_H

#include <stddef.h>
#include <stdint.h>

#define LINK_FOREVER 0xffffffffu

size_t   link_wait(uint32_t cycles);
uint32_t link_from(void);
uint32_t link_node(void);
void     link_read(uint8_t *bytes, size_t size);
void     link_send(uint32_t to, const uint8_t *bytes, size_t size);

#endif
