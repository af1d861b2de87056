/* Macros for AVR assembly: functions, saved registers, and wiping of secrets.
 *
 * Source of the conventions: "avr-gcc", GCC's wiki, "Calling Convention". Arguments come in r25:r24, r23:r22, r21:r20
 * and so on; r2 to r17 and r28, r29 are call-saved, and r1 is 0. The syntax is the common subset of avr-gcc's assembler
 * and LLVM's: registers are named in full, also in macro arguments. */

#ifndef AVR_H
#define AVR_H

/* Begins a function in a section of its own, so that the linker can drop it; `end` ends it. */
    .macro  function name
    .section .text.\name, "ax", @progbits
    .globl  \name
    .type   \name, @function
\name:
    .endm

    .macro  end name
    .size   \name, . - \name
    .endm

/* Begins a table in flash memory, aligned to 256 bytes, so that an index is the low byte of an address. It must be in
 * the first 64 KiB, which `lpm` reaches. */
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

/* Adds a 32-bit word to another, lowest byte first. */
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

/* Clears the call-clobbered registers, and with them sets r1 to the zero that callers expect; use it last in a
 * function. */
    .macro  wipe_registers
    clear_all r0, r1, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r30, r31
    .endm

#endif
