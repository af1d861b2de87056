/* Quicksort with insertion sort for short parts, of numbers that a generator draws. */
#include "kernel.h"

#define COUNT 500
static uint32_t numbers[COUNT];

static void insertion(uint32_t *values, int count)
{
    for (int i = 1; i < count; i++) {
        uint32_t value = values[i];
        int      at    = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static void sort(uint32_t *values, int count)
{
    while (count > 12) {
        uint32_t pivot = values[count / 2];
        int      low = 0, high = count - 1;
        while (low <= high) {
            while (values[low] < pivot)
                low++;
            while (values[high] > pivot)
                high--;
            if (low <= high) {
                uint32_t swapped = values[low];
                values[low++]    = values[high];
                values[high--]   = swapped;
            }
        }
        sort(values, high + 1);
        values += low;
        count -= low;
    }
    insertion(values, count);
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t seed = 1, sum = 0;
    while (rounds--) {
        for (int i = 0; i < COUNT; i++)
            numbers[i] = seed = seed * 1664525u + 1013904223u;
        sort(numbers, COUNT);
        for (int i = 0; i < COUNT; i += 7)
            sum = (sum << 1 | sum >> 31) ^ numbers[i];
    }
    return sum;
}
