/* Has two pointers in registers at this point, and what they lead to loaded again behind it: compilers would
 * keep more of a key than they have registers for. */

#ifndef KEEP_H
#define KEEP_H

#if defined(__GNUC__)
#define KEEP(one, two) __asm__ volatile("" : "+r"(one), "+r"(two)::"memory")
#else
#define KEEP(one, two) (void)0
#endif

#endif
