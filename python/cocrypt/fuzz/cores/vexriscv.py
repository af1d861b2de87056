"""VexRiscv: the variants whose timing is known.

Programs end by the exit device only: VexRiscv never stops by itself, but takes a trap.
"""

from cocrypt.fuzz.cores.definition import Core
from cocrypt.fuzz.privileged import ILLEGAL, SHADOW, Privileged
from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits

CONFIGURATIONS = (
    Configuration.of("vexriscv", Lite=True),
    Configuration.of("vexriscv", Lite=False),
)

DATA_CACHE_FLUSH = (0x01F0_707F, 0x500F)
"""VexRiscv's own instruction to empty the data cache, which it executes even behind a jump."""

FLUSHING = 0x0000_102D
"""An illegal word that the decoder takes for the flush of the instruction cache."""

WAITS = (Waits(1, 1, 1), Waits(2, 1, 1), Waits(1, 2, 2), Waits(3, 3, 3))
"""Memory and peripherals wait alike: the wait of a store delays later accesses."""


PRIVILEGED = Privileged(
    readable=("mstatus", "mie", "mepc", "mcause", "mtval"),
    writable=("mstatus", "mie", "mepc"),
    exceptions=("ecall", "illegal", "unaligned"),
    illegal=(*ILLEGAL, FLUSHING),
)


def features(_: Configuration) -> Features:
    """The features of a configuration."""
    return Features(
        multiply=True,
        divide=True,
        counters=False,
        fence_instructions=True,
        shadow=SHADOW,
        stops=False,
        privileged=PRIVILEGED,
        unmodelled=(DATA_CACHE_FLUSH,),
    )


CORE = Core("vexriscv", CONFIGURATIONS, lambda _: WAITS, features)
