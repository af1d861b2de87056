/* Computes one field operation on every row of a table that is linked in: tests read the results. */

#include "field.h"

typedef struct {
    FIELDP y;
    FIELDP x;
    FIELDP m;
    FIELDP z; /* the result */
} ROW;

/* 0 add, 1 sub, 2 mul, 3 div; how many rows; the rows. */
extern uint32_t operation;
extern uint32_t count;
extern ROW      table[];

int main(void)
{
    static void (*const operations[4])(FIELDP, FIELDP, FIELDP, FIELDP *) = {
        mod_add, mod_sub, mod_mul, mod_div,
    };
    for (uint32_t i = 0; i < count; i++) {
        operations[operation](table[i].y, table[i].x, table[i].m, &table[i].z);
    }
    return 0;
}
