/* Driver of the modular arithmetic processor. */

#ifndef MAP_H
#define MAP_H

#include "field.h"

typedef enum { MAP_ADD, MAP_SUB, MAP_MUL, MAP_DIV } map_opcode;

/* z = y op x mod m, by the sequence of listing 2 in Hau, Khalil-Hani and Marsono (2011): write operands, start, poll,
 * read the result, clear. */
void map_run(map_opcode opcode, const FIELDP *y, const FIELDP *x, const FIELDP *m, FIELDP *z);

#endif
