/* How the helpers of this folder define functions. */

    .macro  function name
    .section .text.\name, "ax", @progbits
    .globl  \name
    .type   \name, @function
\name:
    .endm

    .macro  end name
    .size   \name, . - \name
    .endm
