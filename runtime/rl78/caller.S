/* Executes the calls of a table that the host writes into memory, each between two marks.
 *
 * The number of calls is at __stack_limit, and the table 8 bytes after it, with 32 bytes for each call, in 16-bit words:
 * the function's address, fourteen words of arguments, all of which go onto the stack, and a word for the return value.
 * A return value of one word or two is in the last two words, its lower word first; it overwrites the last word of the
 * arguments. The first pair of marks has nothing between them: a call takes the distance of its pair minus that of the
 * first one. The write of the last of its four bytes records a mark.
 *
 * Source of the conventions: GCC, `config/rl78/rl78.c`. */

/* As in cocrypt/device.h; the last 64 KiB have addresses of 16 bits. */
#ifndef COCRYPT_PERIPHERALS
#define COCRYPT_PERIPHERALS 0xf0800
#endif
    .equ EXIT_DEVICE, (COCRYPT_PERIPHERALS + 0x20) & 0xffff
    .equ MARKS, (COCRYPT_PERIPHERALS + 0x30) & 0xffff
    .equ FRAME, 28

/* Results are in r8 to r11; a function preserves r16 to r23. */
#ifdef __RL78_G10__
    .equ R8, 0xffec8
    .equ R16, 0xffed0
#else
    .equ R8, 0xffef0
    .equ R16, 0xffee8
#endif
    .equ R10, R8 + 2
    .equ R18, R16 + 2

/* Clears all four bytes of a register. */
    .macro  clear register
    clrb    !\register
    clrb    !\register + 1
    clrb    !\register + 2
    clrb    !\register + 3
    .endm

    .macro  stacked word
    movw    ax, [de + 2 + 2 * \word]
    movw    [sp + 2 * \word], ax
    .endm

    .section .text.start, "ax", @progbits
    .globl  _main
    .type   _main, @function
_main:
    /* Only the arguments are on the stack: main never returns, and needs no return address. */
    movw    sp, #__stack_top - FRAME
    movw    ax, !__stack_limit
    shlw    ax, 5
    addw    ax, #__stack_limit + 8
    movw    R18, ax
    movw    ax, #__stack_limit + 8
    movw    R16, ax
    clear   MARKS
    clear   MARKS
    br      $!2f
1:  stacked 0
    stacked 1
    stacked 2
    stacked 3
    stacked 4
    stacked 5
    stacked 6
    stacked 7
    stacked 8
    stacked 9
    stacked 10
    stacked 11
    stacked 12
    stacked 13
    movw    ax, [de]
    clear   MARKS
    call    ax
    clear   MARKS
    movw    de, R16
    movw    ax, R8
    movw    [de + 28], ax
    movw    ax, R10
    movw    [de + 30], ax
    movw    ax, R16
    addw    ax, #32
    movw    R16, ax
2:  movw    de, R16
    movw    ax, R16
    cmpw    ax, R18
    bz      $3f
    br      $!1b
3:  clear   EXIT_DEVICE
4:  br      $4b
    .size   _main, . - _main
