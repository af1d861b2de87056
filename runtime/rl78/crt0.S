/* Start-up: vectors, option bytes, stack, initialised and cleared data, main, exit device.
 *
 * Sources: vectors and option bytes, the hardware manual of RL78/G13 (R01UH0146), sections 3.1 and 23.1; the state after
 * reset, R01US0015, chapter 3; the calling convention, GCC, `config/rl78/rl78.c`. */

/* As in cocrypt/device.h; the last 64 KiB have addresses of 16 bits. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0xf0800
#endif
    .equ EXIT_DEVICE, (COCRYPT_PERIPHERALS + 0x20) & 0xffff
    /* The register ES as memory. */
    .equ SEGMENT, 0xffffd

#ifdef __RL78_G10__
/* The registers that other cores have in banks are variables at the end of RAM, where GCC's library has them. */
    .globl  __registers
    .equ    __registers, 0xffec8
    .equ    RESULT, 0xffec8
#else
    .equ    RESULT, 0xffef0
#endif

/* The handlers of interrupts, `__vector_1` of C at address 4 and so on; by default an interrupt loops forever. */
    .equ VECTORS, 64

    .section .vectors, "a", @progbits
    .globl  __vectors
    .type   __vectors, @object
__vectors:
    .short  __start
    .short  0xffff
    .altmacro
    .macro  vector number
    .weak   ___vector_\number
    .set    ___vector_\number, _cocrypt_unhandled
    .short  ___vector_\number
    .endm
    .set    number, 1
    .rept   VECTORS - 2
    vector  %number
    .set    number, number + 1
    .endr
    .noaltmacro
    /* No entries of `callt`. */
    .rept   0xc0 - 0x80
    .byte   0xff
    .endr
    /* Option bytes: no watchdog timer, no detector of low voltage, high-speed clock, debugging allowed; then the key of
     * debuggers, and the bytes that these write. */
    .byte   0xef, 0xff, 0xe8, 0x85
    .rept   10
    .byte   0x00
    .endr
    .rept   0xd8 - 0xce
    .byte   0xff
    .endr
    .size   __vectors, . - __vectors

    .section .text.start, "ax", @progbits
    .globl  __start
    .type   __start, @function
__start:
#ifndef __RL78_G10__
    sel     rb0
#endif
    movw    sp, #__stack_top
    mov     cs, #0
    /* Initialised data is read by its addresses in flash memory, which may lie on both sides of a border of 64 KiB; RAM
     * does not. All borders of sections are even. */
    mov     es, #%hi8(__data_load)
    movw    de, #%lo16(__data_load)
    movw    hl, #__data_start
    br      $2f
1:  movw    ax, es:[de]
    movw    [hl], ax
    incw    hl
    incw    hl
    incw    de
    incw    de
    movw    ax, de
    cmpw    ax, #0
    sknz
    inc     !SEGMENT
2:  movw    ax, hl
    cmpw    ax, #__data_end
    bnz     $1b
    movw    hl, #__bss_start
    br      $4f
3:  clrw    ax
    movw    [hl], ax
    incw    hl
    incw    hl
4:  movw    ax, hl
    cmpw    ax, #__bss_end
    bnz     $3b
    clrw    ax
    push    ax
    push    ax
    call    !!_main
    /* Writes main's return value, sign-extended; the last byte ends the run. */
    movw    ax, RESULT
    movw    !EXIT_DEVICE, ax
    sarw    ax, 15
    movw    !EXIT_DEVICE + 2, ax
5:  br      $5b
    .size   __start, . - __start

    .type   _cocrypt_unhandled, @function
_cocrypt_unhandled:
    br      $_cocrypt_unhandled
    .size   _cocrypt_unhandled, . - _cocrypt_unhandled
