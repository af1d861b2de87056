/* What secrets a function leaves when it returns: none in registers, and none in the stack below its caller.
 *
 * Memory that has a name is wiped by `wipe` of bytes.h. Of what a compiler keeps in registers and in nameless places
 * of the stack, a function that a caller of a primitive sees gets rid by these, on RISC-V and ARM; elsewhere they do
 * nothing. */

#ifndef WIPING_H
#define WIPING_H

#include "bytes.h"

/* A function that stays one, with a piece of the stack of its own; one that never is one; and memory that compilers keep
 * as it is, used or not. */
#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))
#define CLAIM(memory) __asm__ volatile("" : "=m"(memory))
#else
#define NOINLINE
#define INLINED static inline
#define CLAIM(memory) (void)(memory)
#endif

/* Clears the registers that a function need not keep: the last thing that it does. On ARM the link register is one of
 * them, for compilers compute in it. */
static inline void wipe_registers(void)
{
#if defined(__riscv)
    __asm__ volatile("li t0, 0\n\tli t1, 0\n\tli t2, 0\n\tli a0, 0\n\tli a1, 0\n\tli a2, 0\n\tli a3, 0\n\tli a4, 0\n\t"
                     "li a5, 0" ::: "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5");
#if !defined(__riscv_32e)
    __asm__ volatile("li a6, 0\n\tli a7, 0\n\tli t3, 0\n\tli t4, 0\n\tli t5, 0\n\tli t6, 0" ::: "a6", "a7", "t3", "t4",
                     "t5", "t6");
#endif
#elif defined(__arm__)
    __asm__ volatile(".syntax unified\n\tmovs r0, #0\n\tmovs r1, #0\n\tmovs r2, #0\n\tmovs r3, #0\n\tmov r12, r0\n\t"
                     "mov lr, r0" ::: "r0", "r1", "r2", "r3", "r12", "lr", "cc");
#endif
}

/* How deep the stack goes in this function: the lowest address that is its own. To say so is the last that it does. A
 * register that is to be kept is claimed, for compilers would else take the stack's piece down before. */
static inline uintptr_t stack_depth(void)
{
    uintptr_t depth = 0;
#if defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(depth) : : "s1");
#elif defined(__arm__)
    __asm__ volatile("mov %0, sp" : "=r"(depth) : : "r4");
#endif
    return depth;
}

/* What a function below has told, told on. The caller's own piece stays until then, lest the last of several calls
 * were made from another place than those before. */
static inline uintptr_t told(uintptr_t depth)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(depth));
#endif
    return depth;
}

/* The deeper one of two. */
static inline uintptr_t deeper(uintptr_t depth, uintptr_t other)
{
    return depth < other ? depth : other;
}

/* Clears the stack below this function from a depth on, which a function that it has called was told there: all that
 * stood in that one's own piece, and in those between. These are multiples of eight bytes by the ABIs. */
static inline void wipe_stack(uintptr_t depth)
{
#if defined(__riscv) || defined(__arm__)
    typedef uint32_t __attribute__((may_alias)) word;
    uintptr_t end;
#if defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(end));
#else
    __asm__ volatile("mov %0, sp" : "=r"(end));
#endif
    for (uintptr_t at = depth & ~(uintptr_t)7; at < end; at += 8) {
        ((volatile word *)at)[0] = 0;
        ((volatile word *)at)[1] = 0;
    }
#else
    (void)depth;
#endif
}

/* Defines name(), which tells how deep a function goes that has so many bytes of its own: for callers of code that
 * does not tell, as of arithmetic on large numbers and of what studies count the cycles of. It has to be as deep as
 * that goes. The memory is claimed, so that it counts as stack that is needed. */
#define STACK_ROOM(name, bytes)                                                                        \
    static NOINLINE uintptr_t name(void)                                                               \
    {                                                                                                  \
        uint8_t room[bytes];                                                                           \
        CLAIM(room);                                                                                   \
        return stack_depth();                                                                          \
    }

/* Both, behind a function that told its depth. */
static inline void wipe_below(uintptr_t depth)
{
    wipe_stack(depth);
    wipe_registers();
}

#endif
