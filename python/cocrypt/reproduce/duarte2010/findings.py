"""The paper's conclusions, each with whether our computed figures agree, and why.

All but the choice are judged on the paper's processor; only the stand-in runs the other choices.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010.claims import amdahl, saved_percent
from cocrypt.reproduce.paper import Finding

if TYPE_CHECKING:
    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Pair

STEADY = 0.5
"""Percentage points by which converged figures may differ between sizes."""
LARGE = 1000
"""Bytes from which on the paper's figures have converged."""


def findings(result: Reproduction) -> tuple[Finding, ...]:
    """All findings, in the paper's order."""
    makers = (_hot, _twice, _tenth, _steady, _bound, _energy, _per_byte, _memory, _choice)
    return tuple(make(result) for make in makers)


def _hot(result: Reproduction) -> Finding:
    hottest = []
    for pair in result.native.sizes:
        spots = hot_spots(pair.without.tree).spots
        top = max(spots, key=lambda spot: spot.self_cycles)
        leaves = [spot for spot in spots if spot.self_cycles == spot.total_cycles]
        hottest.append((pair.without.size, top, leaves[0].name))
    tops = {top.name for _, top, _ in hottest}
    leaf = [f"{size:,}" for size, _, name in hottest if name == result.hot]
    why = (
        f"most cycles are spent in {' and '.join(sorted(tops))} itself; {result.hot} is the "
        f"hottest of those that call no other, with {', '.join(leaf)} bytes"
    )
    instead = {f"with {size:,} it is {name}" for size, _, name in hottest if name != result.hot}
    reasons = "; ".join((why, *sorted(instead)))
    return Finding("II", "Power() is the hotspot.", tops == {result.hot}, reasons)


def _twice(result: Reproduction) -> Finding:
    pair = result.profiled_native
    cycles = pair.without.each(result.hot), pair.with_hardware.each(result.hot)
    why = f"a call takes {cycles[1]:.1f} cycles instead of {cycles[0]:.1f}"
    claim = "The coprocessor is twice as fast as the function."
    return Finding("III", claim, cycles[0] >= 2 * cycles[1], why)


def _saved(pair: Pair) -> float:
    return saved_percent(pair.without.cycles, pair.with_hardware.cycles)


def _tenth(result: Reproduction) -> Finding:
    saved = [_saved(pair) for pair in result.native.sizes]
    share = 100 * result.profiled_native.without.share(result.hot)
    why = (
        f"{min(saved):.2f} to {max(saved):.2f} %, because Power() has {share:.1f} % of our time "
        f"instead of {result.published['coprocessor']['hot_share_percent']} %"
    )
    return Finding("III", "Acceleration saves more than 10 % of the time.", min(saved) > 10, why)


def _steady(result: Reproduction) -> Finding:
    saved = [_saved(pair) for pair in result.native.sizes]
    apart = max(saved) - min(saved)
    why = f"it differs by {apart:.2f} percentage points between 4 and 40,000 bytes"
    claim = "What is saved does not depend on the size of the data."
    return Finding("III", claim, apart < STEADY, why)


def _bound(result: Reproduction) -> Finding:
    pair = result.profiled_native
    factor = pair.without.each(result.hot) / pair.with_hardware.each(result.hot)
    bound = amdahl(pair.without.share(result.hot), factor)
    far = 100 * (bound - pair.speedup)
    why = (
        f"{pair.speedup:.4f} of {bound:.4f}: counted in cycles the two are {abs(far):.2f} "
        "percentage points apart"
    )
    claim = "The gain stays below Amdahl's bound, and well so."
    return Finding("III", claim, far > 1, why)


def _energy(result: Reproduction) -> Finding:
    saved = []
    for pair in result.native.sizes:
        spent = [result.energy(run) or 0.0 for run in (pair.without, pair.with_hardware)]
        saved.append(saved_percent(*spent))
    why = f"{min(saved):.2f} to {max(saved):.2f} %, because less time is saved"
    claim = "Energy falls by more than 9 %, although there is more hardware."
    return Finding("III", claim, min(saved) > 9, why)


def _per_byte(result: Reproduction) -> Finding:
    runs = [pair.with_hardware for pair in result.native.sizes]
    per_byte = [(result.energy(run) or 0.0) / run.size for run in runs]
    large = [energy for energy, run in zip(per_byte, runs, strict=True) if run.size > LARGE]
    falls = all(energy >= following for energy, following in pairwise(per_byte))
    apart = 100 * (max(large) / min(large) - 1)
    why = (
        f"{'it falls' if falls else 'it does not fall throughout'}; above {LARGE:,} bytes it is "
        f"the same to {apart:.2f} %"
    )
    claim = "The energy of a byte decreases with the size, and converges."
    return Finding("III", claim, falls and apart < STEADY, why)


def _memory(result: Reproduction) -> Finding:
    least, away = result.native.sizes[0], result.native.external
    ratio = away.with_hardware.cycles / least.with_hardware.cycles
    bound = result.published["ddr"]["least_ratio"]
    why = (
        f"{ratio:.1f} with acceleration; without it the wait states were chosen to give the "
        "paper's ratio"
    )
    claim = f"On-chip memory is more than {bound} times as fast as external memory."
    return Finding("III", claim, ratio > bound, why)


def _choice(result: Reproduction) -> Finding:
    base, paper = result.choices[0], result.profiled.with_hardware
    better = [run for run in result.choices if not run.partition.hw and run.cycles < paper.cycles]
    best = min(better, key=lambda run: run.cycles, default=base)
    why = (
        f"on the Ibex {len(better)} programs without hardware are faster, the best "
        f"({best.partition.name}) {base.cycles / best.cycles:.1f} times as fast as the paper's "
        "program"
    )
    claim = "The best speed-up for little power is the hot function in hardware."
    return Finding("II", claim, not better, why)
