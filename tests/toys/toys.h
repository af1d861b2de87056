/* What toys.c keeps between calls. */
#ifndef TOYS_H
#define TOYS_H

typedef struct {
    unsigned char sum;
} TOY;

#endif
