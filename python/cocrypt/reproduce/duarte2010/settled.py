"""The contradictions in the paper, and what runs on its own processor say about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.reproduce.duarte2010.claims import Doubt, amdahl, doubts

if TYPE_CHECKING:
    from cocrypt.reproduce.duarte2010.experiment import Reproduction


@dataclass(frozen=True)
class Judged(Doubt):
    """A doubt, with what the runs on the paper's processor settle of it."""

    native: str


def judged(result: Reproduction) -> tuple[Judged, ...]:
    """All doubts, in the paper's order."""
    makers = (_slices, _calls, _speedup, _amdahl, _external, _per_byte)
    return tuple(
        Judged(doubt.figure, doubt.printed, doubt.problem, make(result))
        for doubt, make in zip(doubts(result.published), makers, strict=True)
    )


def _slices(_result: Reproduction) -> str:
    return "open: no run depends on it"


def above(result: Reproduction) -> tuple[float, float]:
    """The cycles by which the paper's calls are longer than its processor's, in both kinds."""
    pair, unit = result.profiled_native, result.published["coprocessor"]
    return (
        unit["cycles_software"] - pair.without.each(result.hot),
        unit["cycles_hardware"] - pair.with_hardware.each(result.hot),
    )


def _calls(result: Reproduction) -> str:
    pair, unit = result.profiled_native, result.published["coprocessor"]
    saved = pair.without.each(result.hot) - pair.with_hardware.each(result.hot)
    software, hardware = above(result)
    return (
        f"open: a call saves {saved:.1f} cycles, "
        f"{unit['cycles_software'] - unit['cycles_hardware']} by the paper, whose calls are "
        f"{software:.1f} and {hardware:.1f} cycles longer, as if both included readings of its "
        f"timer over the bus; without those the function has "
        f"{100 * pair.without.share(result.hot):.1f} % of the time"
    )


def _speedup(result: Reproduction) -> str:
    pair = result.profiled_native
    factor = pair.without.each(result.hot) / pair.with_hardware.each(result.hot)
    bound = amdahl(pair.without.share(result.hot), factor)
    return (
        f"settled: {100 * (pair.speedup - 1):.2f} % more speed were measured, where Amdahl's law "
        f"gives {100 * (bound - 1):.2f} %, so that the processor leaves no gap"
    )


def _amdahl(result: Reproduction) -> str:
    pair = result.profiled_native
    return (
        f"open: a share of {100 * pair.without.share(result.hot):.1f} % is neither of the two, "
        "for core and program decide about it"
    )


def _external(result: Reproduction) -> str:
    near, far = result.native.sizes[0], result.native.external
    return (
        f"settled: there the hardware makes the program {100 * (far.speedup - 1):.1f} % faster, "
        f"and the ratio with it is {far.with_hardware.cycles / near.with_hardware.cycles:.1f}, "
        "predicted from the one without; as printed it would be slower"
    )


def _per_byte(result: Reproduction) -> str:
    runs = [pair.with_hardware for pair in result.native.sizes]
    lowest = min(runs, key=lambda run: run.cycles / run.size)
    return (
        f"the least is at {lowest.size:,} bytes here: the words of the text decide, and "
        "larger texts share nothing"
    )
