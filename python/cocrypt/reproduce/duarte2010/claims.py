"""Conclusions from the paper's own figures, and contradictions among them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.hardware.area import PER_SLICE

if TYPE_CHECKING:
    from collections.abc import Mapping

CALLS = 64
"""Calls of Power() for 4 bytes, if each bit of two exponents of 32 bits makes one."""


def amdahl(share: float, factor: float) -> float:
    """Amdahl's law: the speed-up of the whole, where a share gets faster by a factor."""
    return 1 / (1 - share + share / factor)


def saved_percent(without: float, with_hardware: float) -> float:
    """The saving with the hardware in percent, which the paper calls speed-up."""
    return 100 * (1 - with_hardware / without)


def external(published: Mapping[str, Any]) -> tuple[float, float]:
    """Cycles in external memory without and with the hardware, the printed ones swapped.

    As printed the hardware would slow the program down, and one ratio to on-chip memory would be
    below the 26 that the paper claims for both.
    """
    return published["ddr"]["cycles_with"], published["ddr"]["cycles_without"]


@dataclass(frozen=True)
class Doubt:
    """A figure of the paper, what is printed, and what does not fit."""

    figure: str
    printed: str
    problem: str


def doubts(published: Mapping[str, Any]) -> tuple[Doubt, ...]:
    """All doubts, in the paper's order."""
    makers = (_slices, _calls, _speedup, _amdahl, _external, _per_byte)
    return tuple(make(published) for make in makers)


def _cycles(published: Mapping[str, Any], row: int) -> tuple[float, float]:
    """Cycles of a row of the tables, without and with the hardware."""
    figures = published["row"][row]
    return 1e6 * figures["without"]["Mcycles"], 1e6 * figures["with"]["Mcycles"]


def _slices(published: Mapping[str, Any]) -> Doubt:
    unit, (room, _) = published["coprocessor"], PER_SLICE["xc5v"]
    problem = (
        f"a slice of Virtex-5 has {room} LUTs, so that {unit['luts']} LUTs take "
        f"{math.ceil(unit['luts'] / room)} slices at least"
    )
    return Doubt("slices", f"{unit['slices']} slices and {unit['luts']} LUTs", problem)


def _calls(published: Mapping[str, Any]) -> Doubt:
    unit, (without, with_hardware) = published["coprocessor"], _cycles(published, 0)
    share, cycles = unit["hot_share_percent"] / 100, unit["cycles_software"]
    saved = (without - with_hardware) / (cycles - unit["cycles_hardware"])
    printed = (
        f"{unit['hot_share_percent']} % of the time; a call takes {cycles} cycles, "
        f"{unit['cycles_hardware']} in hardware"
    )
    problem = (
        f"for 4 bytes that is {share * without / cycles:.0f} calls by the share, {saved:.0f} by "
        f"the cycles that are saved, {CALLS} if each bit of two exponents asks once, which would "
        f"be {100 * CALLS * cycles / without:.1f} % of the time"
    )
    return Doubt("calls of Power()", printed, problem)


def _speedup(published: Mapping[str, Any]) -> Doubt:
    claimed, (without, with_hardware) = published["claims"], _cycles(published, -1)
    faster = 100 * (without / with_hardware - 1)
    gap = claimed["amdahl_percent"] - claimed["time_percent"]
    other_unit = faster - claimed["time_percent"]
    printed = f"{claimed['time_percent']} % against {claimed['amdahl_percent']} % by Amdahl's law"
    problem = (
        f"the first is time saved, the second gain in speed, which is {faster:.2f} % by the same "
        f"row of the tables: {other_unit:.2f} of the gap of {gap:.2f} points, which the paper lays "
        "to its timer, are the other unit"
    )
    return Doubt("speed-up", printed, problem)


def _amdahl(published: Mapping[str, Any]) -> Doubt:
    unit, printed_percent = published["coprocessor"], published["claims"]["amdahl_percent"]
    stated, observed = unit["amdahl_p"], unit["hot_share_percent"] / 100
    gives = [100 * (amdahl(share, unit["amdahl_s"]) - 1) for share in (stated, observed)]
    problem = (
        f"{stated} gives {gives[0]:.2f} %, {observed} gives {gives[1]:.2f} %: the printed "
        f"{printed_percent} % was computed with the share that was observed"
    )
    printed = f"p = {stated}, where {unit['hot_share_percent']} % were observed"
    return Doubt("Amdahl's law", printed, problem)


def _external(published: Mapping[str, Any]) -> Doubt:
    ddr, (without, with_hardware) = published["ddr"], _cycles(published, 0)
    plain, fast = external(published)
    problem = (
        "with and without are swapped: as printed the ratios to on-chip memory are "
        f"{ddr['cycles_without'] / without:.1f} and {ddr['cycles_with'] / with_hardware:.1f}, "
        f"swapped {plain / without:.1f} and {fast / with_hardware:.1f}, both above the "
        f"{ddr['least_ratio']} that the paper names"
    )
    printed = f"{ddr['cycles_with']:,} cycles with acceleration, {ddr['cycles_without']:,} without"
    return Doubt("external memory", printed, problem)


def _per_byte(published: Mapping[str, Any]) -> Doubt:
    rows = published["row"]
    lowest = min(rows, key=lambda row: float(row["with"]["uJ_per_byte"]))["bytes"]
    problem = f"table II has its least at {lowest:,} bytes and rises again"
    return Doubt("energy per byte", "decreases as the data size increases", problem)
