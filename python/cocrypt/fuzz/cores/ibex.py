"""Ibex: all multipliers and sets of bit manipulation, branch-target adder, write-back stage.

Programs end by the exit device only: Ibex never stops by itself, but takes a trap.
"""

from cocrypt.fuzz.cores.definition import Core
from cocrypt.fuzz.privileged import Privileged
from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits


def _configuration(
    multiplier: int, branch_adder: bool, write_back: bool, bits: int = 0
) -> Configuration:
    return Configuration.of(
        "ibex",
        RV32M=multiplier,
        RV32B=bits,
        BranchTargetALU=branch_adder,
        WritebackStage=write_back,
    )


CONFIGURATIONS = (
    _configuration(2, False, False),
    _configuration(3, True, True),
    _configuration(1, True, False),
    _configuration(0, False, True),
    _configuration(2, True, True),
    _configuration(3, False, False),
    _configuration(1, False, True),
    _configuration(0, True, False),
    _configuration(3, True, True, bits=1),
    _configuration(2, False, False, bits=2),
    _configuration(3, True, False, bits=3),
    _configuration(1, False, True, bits=3),
)
"""The small and the fast configuration of Ibex's own list, then pairs in every way, then each set
of bit manipulation."""

BALANCED = frozenset({"zba", "zbb", "zbs"})
EXTENSIONS: tuple[frozenset[str], ...] = (
    frozenset(),
    BALANCED,
    *(BALANCED | {"zbc", "zbkb", "zbkx"},) * 2,
)
"""By the value of RV32B."""

WAITS = (Waits(1, 1, 1), Waits(1, 1, 19), Waits(1, 2, 2), Waits(1, 3, 1), Waits(1, 2, 5))


def waits(configuration: Configuration) -> tuple[Waits, ...]:
    """With a write-back stage accesses overlap later instructions; only a wait of 1 is modelled."""
    return WAITS[:1] if configuration["WritebackStage"] else WAITS


PRIVILEGED = Privileged(
    readable=("mstatus", "mie", "mtvec", "mscratch", "mepc", "mtval", "mhartid", "marchid"),
    writable=("mie", "mscratch", "mepc", "mtval"),
    exceptions=("ecall", "ebreak", "illegal"),
)


def features(configuration: Configuration) -> Features:
    """The features of a configuration."""
    has_multiplier = configuration["RV32M"] != 0
    return Features(
        multiply=has_multiplier,
        divide=has_multiplier,
        compressed=True,
        extensions=EXTENSIONS[configuration["RV32B"]],
        counters=False,
        fence_instructions=True,
        stops=False,
        privileged=PRIVILEGED,
        unaligned=True,
    )


CORE = Core("ibex", CONFIGURATIONS, waits, features)
