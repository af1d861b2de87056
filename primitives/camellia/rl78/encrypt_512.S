; Camellia-128: encryption in 512 bytes of ROM and 128 of RAM. The S-box is computed. A table has the steps. The key is
; left as it is.

        .include "camellia.inc"

        .equ    UNROLLED, 4
        .include "encrypt_compact.inc"
