/* What the implementation keeps of a message. */

#ifndef GROESTL_CONTEXT_H
#define GROESTL_CONTEXT_H

/* Columns have two words each, the byte of row 0 lowest. */
typedef struct {
    uint32_t chain[GROESTL_BLOCK / 4];
    uint32_t block[GROESTL_BLOCK / 4]; /* what came and is no whole block yet */
    uint64_t size;                     /* bytes so far */
} GROESTL;

#endif
