# Start-up under an emulator of Linux programs: runs main, exits with its result, the checksum printed
# as four bytes before.
        .globl  _start
_start: call    main
        mv      s0, a0
        li      a0, 1
        la      a1, checksum
        li      a2, 4
        li      a7, 64
        ecall
        mv      a0, s0
        li      a7, 93
        ecall
