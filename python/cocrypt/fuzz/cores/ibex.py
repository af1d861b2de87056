"""Ibex: all multipliers, with and without branch-target adder and write-back stage.

Programs end by the exit device only: Ibex never stops by itself, but takes a trap.
"""

from cocrypt.fuzz.cores.definition import Core
from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits


def _configuration(multiplier: int, branch_adder: bool, write_back: bool) -> Configuration:
    return Configuration.of(
        "ibex", RV32M=multiplier, BranchTargetALU=branch_adder, WritebackStage=write_back
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
)
"""The small and the fast configuration of Ibex's own list, then pairs in every way."""

WAITS = (Waits(1, 1, 1), Waits(1, 1, 19), Waits(1, 2, 2), Waits(1, 3, 1), Waits(1, 2, 5))


def waits(configuration: Configuration) -> tuple[Waits, ...]:
    """With a write-back stage an access's wait overlaps what follows; only 1 is modelled there."""
    return WAITS[:1] if configuration["WritebackStage"] else WAITS


def features(configuration: Configuration) -> Features:
    """Say which instructions a core has."""
    has_multiplier = configuration["RV32M"] != 0
    return Features(
        multiply=has_multiplier,
        divide=has_multiplier,
        compressed=True,
        counters=False,
        stops=False,
    )


CORE = Core("ibex", CONFIGURATIONS, waits, features)
