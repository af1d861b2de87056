/* Start-up: vectors, stack, initialised and cleared data, main, exit device.
 *
 * Sources: the vectors and the state after reset, "AVR Instruction Set Manual" (DS40002198) and the data sheets;
 * the zero register r1 and the stack, "avr-gcc", GCC's wiki, "Register Layout" and "Calling Convention". */

#ifdef __AVR_TINY__
#error "this start-up code is not for reduced cores, such as the ATtiny10's: link the program with its own"
#endif

/* As in cocrypt/device.h; pointers have 16 bits. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0x8000
#endif
    .equ EXIT_DEVICE, (COCRYPT_PERIPHERALS + 0x20) & 0xffff

#ifdef __AVR_HAVE_JMP_CALL__
#define JUMP jmp
#define CALL call
#else
#define JUMP rjmp
#define CALL rcall
#endif

/* Devices with more than 64 KiB of flash memory. LLVM assumes it for all of XMEGA. */
#if defined(__AVR_HAVE_ELPMX__) && __AVR_ARCH__ != 102
#define FAR
#endif

/* I/O addresses that all cores share. */
#define RAMPD 0x38
#define RAMPX 0x39
#define RAMPY 0x3a
#define RAMPZ 0x3b
#define EIND 0x3c
#define SP_LOW 0x3d
#define SP_HIGH 0x3e
#define STATUS 0x3f

/* The handlers have avr-libc's names, so that its ISR() defines them; by default an interrupt loops forever. */
    .equ VECTORS, 64

    .section .vectors, "ax", @progbits
    .globl  _vectors
    .type   _vectors, @function
_vectors:
    JUMP    _start
    .altmacro
    .macro  vector number
    .weak   __vector_\number
    .set    __vector_\number, cocrypt_unhandled
    JUMP    __vector_\number
    .endm
    .set    number, 1
    .rept   VECTORS - 1
    vector  %number
    .set    number, number + 1
    .endr
    .noaltmacro
    .size   _vectors, . - _vectors

    .section .text.start, "ax", @progbits
    .globl  _start
    .type   _start, @function
_start:
    clr     r1
    out     STATUS, r1
    ldi     r28, lo8(_stack_top - 1)
    ldi     r29, hi8(_stack_top - 1)
    out     SP_HIGH, r29
    out     SP_LOW, r28
#ifdef __AVR_HAVE_RAMPD__
    out     RAMPD, r1
    out     RAMPX, r1
    out     RAMPY, r1
#endif
#ifdef __AVR_HAVE_EIJMP_EICALL__
    out     EIND, r1
#endif
    ldi     r30, lo8(_data_load)
    ldi     r31, hi8(_data_load)
#ifdef FAR
    ldi     r16, hlo8(_data_load)
    out     RAMPZ, r16
#endif
    ldi     r26, lo8(_data_start)
    ldi     r27, hi8(_data_start)
    ldi     r17, hi8(_data_end)
    rjmp    2f
#ifdef FAR
1:  elpm    r0, Z+
#else
1:  lpm     r0, Z+
#endif
    st      X+, r0
2:  cpi     r26, lo8(_data_end)
    cpc     r27, r17
    brne    1b
#ifdef FAR
    out     RAMPZ, r1
#endif
    ldi     r26, lo8(_bss_start)
    ldi     r27, hi8(_bss_start)
    ldi     r17, hi8(_bss_end)
    rjmp    4f
3:  st      X+, r1
4:  cpi     r26, lo8(_bss_end)
    cpc     r27, r17
    brne    3b
    ldi     r24, 0
    ldi     r25, 0
    ldi     r22, 0
    ldi     r23, 0
    CALL    main
    /* Writes main's return value, sign-extended; the last byte ends the run. */
    ldi     r30, lo8(EXIT_DEVICE)
    ldi     r31, hi8(EXIT_DEVICE)
    mov     r26, r25
    lsl     r26
    sbc     r26, r26
    st      Z, r24
    std     Z+1, r25
    std     Z+2, r26
    std     Z+3, r26
5:  rjmp    5b
    .size   _start, . - _start

    .type   cocrypt_unhandled, @function
cocrypt_unhandled:
    rjmp    cocrypt_unhandled
    .size   cocrypt_unhandled, . - cocrypt_unhandled
