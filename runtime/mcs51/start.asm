; Start-up of SDCC's programs, which continues at `started`.
;
; The build writes addresses of peripherals before this text, and behind it what begins at `started`.
;
; Sources: SDCC's manual, "Startup code"; what SDCC writes for a file with `main`.

    .module start
    .optsdcc -mmcs51 --model-large

    .globl  __start__stack
    .globl  __sdcc_gsinit_startup
    .globl  __sdcc_program_startup
    .globl  __mcs51_genXINIT
    .globl  __mcs51_genXRAMCLEAR
    .globl  __mcs51_genRAMCLEAR

; The linker places areas in the order in which it first sees them.
    .area   RSEG    (ABS,DATA)
    .area   REG_BANK_0 (REL,OVR,DATA)
    .ds     8
    .area   DSEG    (DATA)
    .area   OSEG    (OVR,DATA)
    .area   SSEG
__start__stack:
    .ds     1
    .area   ISEG    (DATA)
    .area   IABS    (ABS,DATA)
    .area   BSEG    (BIT)
    .area   PSEG    (PAG,XDATA)
    .area   XSEG    (XDATA)
    .area   XABS    (ABS,XDATA)
    .area   XISEG   (XDATA)
    .area   HOME    (CODE)
    .area   GSINIT0 (CODE)
    .area   GSINIT1 (CODE)
    .area   GSINIT2 (CODE)
    .area   GSINIT3 (CODE)
    .area   GSINIT4 (CODE)
    .area   GSINIT5 (CODE)
    .area   GSINIT  (CODE)
    .area   GSFINAL (CODE)
    .area   CSEG    (CODE)

    .area   HOME    (CODE)
__interrupt_vect:
    ljmp    __sdcc_gsinit_startup
    .area   GSFINAL (CODE)
    ljmp    __sdcc_program_startup
    .area   HOME    (CODE)
__sdcc_program_startup:
    ljmp    started

; The write of the last of a register's four bytes writes it.
    .macro  word address
    mov     dptr, #address
    movx    @dptr, a
    inc     dptr
    movx    @dptr, a
    inc     dptr
    movx    @dptr, a
    inc     dptr
    movx    @dptr, a
    .endm
