/* The context of a message. */

#ifndef GROESTL_CONTEXT_H
#define GROESTL_CONTEXT_H

typedef struct {
    uint32_t chain[GROESTL_BLOCK / 4]; /* columns of two words each, with the byte of row 0 lowest */
    uint64_t size;                     /* bytes so far */
    uint8_t  block[GROESTL_BLOCK];     /* bytes of an incomplete block */
} GROESTL;

#endif
