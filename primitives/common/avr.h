/* What assembly for AVR shares: functions, registers that are kept, and secrets that are cleared.
 *
 * Source of the conventions: "avr-gcc", GCC's wiki, "Calling Convention". Arguments come in r25:r24, r23:r22, r21:r20
 * and so on; r2 to r17 and r28, r29 are the caller's, and r1 is 0. The syntax is what avr-gcc's assembler and LLVM's
 * have in common: registers are named in full, also where a macro takes them. */

#ifndef AVR_H
#define AVR_H

/* A function in a section of its own, so that the linker can leave it out, and its end. */
    .macro  function name
    .section .text.\name, "ax", @progbits
    .globl  \name
    .type   \name, @function
\name:
    .endm

    .macro  end name
    .size   \name, . - \name
    .endm

/* A table in flash memory that begins where the low byte of its address is 0: an index becomes that byte. It lies
 * in the first 64 KiB, which `lpm` reaches. */
    .macro  table name
    .section .progmem.\name, "a", @progbits
    .p2align 8
    .globl  \name
    .type   \name, @object
\name:
    .endm

    .macro  push_all registers:vararg
    .irp    one, \registers
    push    \one
    .endr
    .endm

    .macro  pop_all registers:vararg
    .irp    one, \registers
    pop     \one
    .endr
    .endm

    .macro  clear_all registers:vararg
    .irp    one, \registers
    clr     \one
    .endr
    .endm

/* A word of 32 bits, lowest byte first, takes in another. */
    .macro  add_32 a, b, c, d, e, f, g, h
    add     \a, \e
    adc     \b, \f
    adc     \c, \g
    adc     \d, \h
    .endm

    .macro  xor_32 a, b, c, d, e, f, g, h
    eor     \a, \e
    eor     \b, \f
    eor     \c, \g
    eor     \d, \h
    .endm

/* Clears what a function need not keep, and makes r1 the zero that callers want: the last thing that it does. */
    .macro  wipe_registers
    clear_all r0, r1, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r30, r31
    .endm

#endif
