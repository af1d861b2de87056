/* Products, quotients, remainders and shifts as the compiler writes them: tests read the results. */

#include <stdint.h>

typedef struct {
    uint64_t a;
    uint64_t b;
    uint64_t wide[8];
    uint32_t narrow[6]; /* of the low halves; the last one is padding */
} ROW;

/* How many rows; the rows. No b has a low half of 0. */
extern uint32_t count;
extern ROW      table[];

static void wide(ROW *row)
{
    uint64_t a  = row->a;
    uint64_t b  = row->b;
    int64_t  sa = (int64_t)a;
    int64_t  sb = (int64_t)b;
    row->wide[0] = a * b;
    row->wide[1] = a / b;
    row->wide[2] = a % b;
    row->wide[3] = (uint64_t)(sa / sb);
    row->wide[4] = (uint64_t)(sa % sb);
    row->wide[5] = a << (b & 63u);
    row->wide[6] = a >> (b & 63u);
    row->wide[7] = (uint64_t)(sa >> (b & 63u));
}

static void narrow(ROW *row)
{
    uint32_t a  = (uint32_t)row->a;
    uint32_t b  = (uint32_t)row->b;
    int32_t  sa = (int32_t)a;
    int32_t  sb = (int32_t)b;
    row->narrow[0] = a * b;
    row->narrow[1] = a / b;
    row->narrow[2] = a % b;
    row->narrow[3] = (uint32_t)(sa / sb);
    row->narrow[4] = (uint32_t)(sa % sb);
}

int main(void)
{
    for (uint32_t i = 0; i < count; i++) {
        wide(&table[i]);
        narrow(&table[i]);
    }
    return 0;
}
