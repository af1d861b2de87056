/* The context of a message. */

#ifndef GROESTL_CONTEXT_H
#define GROESTL_CONTEXT_H

typedef struct {
    uint8_t  chain[GROESTL_BLOCK];
    uint8_t  block[GROESTL_BLOCK]; /* bytes of an incomplete block */
    uint64_t size;                 /* bytes so far */
    uint8_t  substituted[256];     /* the S-box */
} GROESTL;

#endif
