/* Wiping of secrets in registers and on the stack when a function returns.
 *
 * Named memory is wiped by `wipe` of bytes.h. The functions here clear what compilers keep in registers and in spill
 * slots of the stack; the public functions of primitives call them. They have an effect on RISC-V and ARM only. */

#ifndef WIPING_H
#define WIPING_H

#include "bytes.h"

/* NOINLINE functions keep a stack frame of their own, INLINED functions never have one, and CLAIM keeps memory
 * allocated even if it is unused. */
#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))
#define CLAIM(memory) __asm__ volatile("" : "=m"(memory))
#else
#define NOINLINE
#define INLINED static inline
#define CLAIM(memory) (void)(memory)
#endif

/* Clears the call-clobbered registers; call it last in a function. On ARM they include the link register, because
 * compilers use it for temporaries. */
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

/* Returns the stack pointer, the lowest address of the caller's frame; call it last in a function. The clobber of a
 * call-saved register keeps compilers from releasing the frame before. */
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

/* Forwards the depth that a callee returned. It keeps the caller's frame until then: without it, the last of several
 * calls could become a tail call, from a different stack pointer than the calls before. */
static inline uintptr_t no_tail_call(uintptr_t depth)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(depth));
#endif
    return depth;
}

/* Returns the lower of two stack depths. */
static inline uintptr_t deeper(uintptr_t depth, uintptr_t other)
{
    return depth < other ? depth : other;
}

/* Clears the stack from `depth`, which a callee returned, up to the frame of the calling function: the callee's frame
 * and all frames between. Their sizes are multiples of eight bytes by the ABIs. */
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

/* Defines name(), which returns the stack depth of a function with a frame of the given number of bytes, for callers of
 * code that returns no depth, such as arithmetic on large numbers and code whose cycles a study publishes. The number
 * must cover all frames of that code. CLAIM makes the memory part of the measured stack. */
#define STACK_ROOM(name, bytes)                                                                        \
    static NOINLINE uintptr_t name(void)                                                               \
    {                                                                                                  \
        uint8_t room[bytes];                                                                           \
        CLAIM(room);                                                                                   \
        return stack_depth();                                                                          \
    }

/* Clears the stack below the calling function, from a callee's depth on, and the registers. */
static inline void wipe_below(uintptr_t depth)
{
    wipe_stack(depth);
    wipe_registers();
}

#endif
