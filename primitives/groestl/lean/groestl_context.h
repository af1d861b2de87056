/* The context of a message. */

#ifndef GROESTL_CONTEXT_H
#define GROESTL_CONTEXT_H

/* Columns have two words each, with the byte of row 0 lowest. */
typedef struct {
    uint32_t chain[GROESTL_BLOCK / 4];
    uint32_t block[GROESTL_BLOCK / 4]; /* bytes of an incomplete block */
    uint64_t size;                     /* bytes so far */
} GROESTL;

#endif
