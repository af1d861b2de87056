/* A round of GIFT-128 in memory, in a function of its own: in the loop compilers would keep all masks in registers and
 * on the stack. */

#include "rounds.h"
#include "slices.h"

static inline void move_and_add(uint32_t block[4], const uint32_t key[4], unsigned step)
{
    gift_move(block, step);
    block[1] ^= gift_arranged(key[3], step);
    block[2] ^= gift_arranged(key[1], step);
}

void gift_round(uint32_t block[4], const uint32_t key[4], unsigned step)
{
    gift_substitute(block);
    switch (step) {
    case 0:
        move_and_add(block, key, 0);
        break;
    case 1:
        move_and_add(block, key, 1);
        break;
    case 2:
        move_and_add(block, key, 2);
        break;
    case 3:
        move_and_add(block, key, 3);
        break;
    default:
        move_and_add(block, key, 4);
    }
}
