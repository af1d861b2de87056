/* A barrier that forces two pointers into registers, and makes compilers load their targets again: they would otherwise
 * keep more of a key than fits registers. */

#ifndef KEEP_H
#define KEEP_H

#if defined(__GNUC__)
#define KEEP(one, two) __asm__ volatile("" : "+r"(one), "+r"(two)::"memory")
#else
#define KEEP(one, two) (void)0
#endif

#endif
