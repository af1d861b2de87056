    .globl main
main:
    .incbin "/etc/passwd"
    .include "@HOME@/.ssh/id_secret"
