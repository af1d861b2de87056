/* Products of square matrices of integers, and a transposition. */
#include "kernel.h"

#define SIZE 24
static int32_t left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

uint32_t kernel(uint32_t rounds)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            left[i][j]  = i * 3 - j;
            right[i][j] = i ^ j;
        }
    while (rounds--) {
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                int32_t sum = 0;
                for (int k = 0; k < SIZE; k++)
                    sum += left[i][k] * right[k][j];
                product[i][j] = sum;
            }
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                left[i][j] = product[j][i] >> 3;
    }
    uint32_t sum = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = sum * 17 + (uint32_t)left[i][j];
    return sum;
}
