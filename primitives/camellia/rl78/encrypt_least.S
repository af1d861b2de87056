; Camellia-128: encryption in the least ROM, and in 128 bytes of RAM. The S-box is computed. A table has the steps. The key is
; left as it is.

        .include "camellia.inc"

        .equ    UNROLLED, 1
        .include "encrypt_compact.inc"
