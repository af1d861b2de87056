"""The sentences of the report, computed from its rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.device import Device
    from cocrypt.explore import Exploration, Landscape, Row
    from cocrypt.hotspots import HotSpots

FIGURES = {
    "total": "T",
    "seconds": "time",
    "energy_J": "energy",
    "hardware": "functions that need hardware",
    "area_GE": "gate equivalents",
    "luts": "look-up tables",
    "flip_flops": "flip-flops",
    "rom": "ROM",
    "ram": "RAM",
    "stack": "stack",
    "memory": "RAM and stack",
    "leakage_t": "|t|",
    "leakage_deviation": "variation of energy",
    "disclosure_traces": "traces to disclosure",
}
"""The names of figures in sentences."""
EVERYTHING = 0.98
"""A function with more than this share of the cycles is the program itself."""


def headline(result: Exploration) -> str:
    """The result in one line."""
    if result.hot is not None:
        return f"{result.workload.title}: {_hottest(result.hot)}"
    best = fastest(result)
    partition = best.measurement.partition
    if not best.within:
        return f"{result.workload.title}: no partition is within the bounds"
    if partition.is_software:
        return f"{result.workload.title}: nothing is faster than the software as it is"
    replaced = [name for name, option in partition.choice.items() if option != SOFTWARE]
    if set(replaced) == set(partition.hw):
        hardware = f"{_listed(partition.hw)} in hardware"
    else:
        hardware = partition.name
    return f"{result.workload.title}: {best.gain:.1f} times as fast with {hardware}"


def summary(result: Exploration) -> str:
    """The sentences behind the headline."""
    best, software = fastest(result), result.software
    if result.hot is not None:
        return f"{_bounds(result.hot)} Name some of these functions in the study as candidates."
    return (
        f"{best.measurement.partition.name} takes {_cycles(best)}, {100 * best.overhead:.1f} % of "
        f"them on the bus; software alone takes {_cycles(software)}{_natural(result)}. "
        f"{_all_hardware(result)}"
        f"{_algorithms(result)}"
        f"On the Pareto front of {sought(result)}: {_front(result)}. "
        f"{_right(result)}{_bounded(result)}"
        f"{_predicted(result)}"
    )


def _right(result: Exploration) -> str:
    """The number of partitions with the right result, and the source of that result."""
    checked = [row for row in result.rows if row.measurement.verified is not None]
    right = sum(bool(row.measurement.verified) for row in checked)
    if not result.workload.learnt:
        return f"{right} of {len(checked)} partitions gave the expected result. "
    return (
        f"The study does not say which result is right; {right} of {len(checked)} other partitions "
        "gave that of the software. "
    )


def _bounded(result: Exploration) -> str:
    """The number of partitions within the bounds, if there are any."""
    search = result.study.search
    bounds = [f"{FIGURES[name]} ({most:g})" for name, most in search.at_most.items()]
    bounds += [f"{FIGURES[name]} (at least {bound:g})" for name, bound in search.at_least.items()]
    if not bounds:
        return ""
    within = sum(row.within for row in result.rows)
    listed = _listed(bounds)
    return f"{within} of {len(result.rows)} are within the bounds on {listed}. "


def _predicted(result: Exploration) -> str:
    """The largest error of the predictions, if there are any."""
    if not result.errors:
        return ""
    return (
        "From the software's profile and one run of each option alone, the other "
        f"{len(result.errors)} partitions were predicted with an error of "
        f"{100 * max(result.errors):.3f} % of T at most."
    )


def _natural(result: Exploration) -> str:
    """The cycles of the software as compiled without boundaries around the candidates."""
    if result.natural is None:
        return ""
    return f", and {result.natural.split.total:,} built without boundaries around the candidates"


def _hottest(hot: HotSpots) -> str:
    """The function that could gain most, without the program itself."""
    limit = EVERYTHING * hot.cycles
    partial = [spot for spot in hot.spots if spot.total_cycles < limit] or hot.spots
    if not partial:
        return f"{hot.cycles:,} cycles, none of them in a function of its own"
    share = 100 * partial[0].total_cycles / hot.cycles
    return f"{share:.0f} % of {hot.cycles:,} cycles are spent in {partial[0].name}"


def _bounds(hot: HotSpots) -> str:
    """The gain that the best sets could bring."""
    sentences = (
        f"With {_listed(best.functions)} in hardware it is at most {best.bound:.1f} times as fast."
        for best in hot.sets
    )
    return " ".join(sentences)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def device(shown: Device) -> str:
    """The device, with the settings that its figures depend on."""
    parameters = shown.parameters.items()
    switched = ", ".join(name for name, value in parameters if value) or "no options"
    waits = "; ".join(
        f"{memory.name}: fetch {memory.fetch_wait}, data {memory.data_wait}"
        for memory in shown.memories
    )
    return (
        f"{shown.title}: {shown.core.title} at {shown.clock_hz / 1e6:g} MHz with {switched}. "
        f"Cycles from request to answer: {waits}; bus: {shown.bus.wait}."
    )


def settings(shown: Device) -> str:
    """The bus and the clock of a device whose settings differ from its file."""
    bus, ratio = shown.bus, shown.coprocessor_clock
    words = [f"wait {bus.wait}"]
    if bus.burst_wait != bus.wait:
        words.append(f"burst {bus.burst_wait}")
    if ratio.multiply != ratio.divide:
        divisor = f"/{ratio.divide}" if ratio.divide > 1 else ""
        words.append(f"clock {ratio.multiply}{divisor}")
    words += [name for name in shown.settings if name.isupper()]
    return ", ".join(words)


def sought(result: Exploration) -> str:
    """The objectives, in words."""
    return _listed([FIGURES[name] for name in result.objectives])


def landscape(result: Exploration, predicted: Landscape) -> str:
    """The numbers of points that were predicted and simulated, and the method."""
    method = {
        "all": "every one",
        "nsga2": "found by NSGA-II",
        "tpe": "found by TPE",
    }[predicted.method]
    bounds = result.study.search.at_most
    within = f", {predicted.feasible:,} of them within the bounds" if bounds else ""
    figures = sought(result)
    return (
        f"{predicted.points:,} points predicted ({method}){within}, in {predicted.seconds:.2g} s; "
        f"simulated are {len(predicted.front)} of the front of {figures} and "
        f"{len(predicted.sample)} others at random"
    )


def fastest(result: Exploration) -> Row:
    """The row with the fewest cycles of those within the bounds, or of all if none is."""
    within = [row for row in result.rows if row.within]
    return min(within or result.rows, key=_total)


def leakage(row: Row, name: str) -> str:
    """A figure of leakage; `>` stands before the traces with which no attack found the key."""
    value = row.figure(name)
    if value is None or row.leakage is None:
        return "-"
    if name == "disclosure_traces":
        return f"{value:,.0f}" if math.isfinite(value) else f">{row.leakage.traces:,}"
    return f"{100 * value:.3g}" if name == "leakage_deviation" else f"{value:,.1f}"


def _cycles(row: Row) -> str:
    return f"{row.measurement.split.total:,} cycles"


def _all_hardware(result: Exploration) -> str:
    """The cycles of the partition with most hardware, if another is the fastest."""
    most_hardware = max(result.rows, key=lambda row: len(row.measurement.partition.hw))
    if most_hardware is fastest(result):
        return ""
    name = most_hardware.measurement.partition.name
    share = f"{100 * most_hardware.overhead:.1f} % of them on the bus"
    return f"{name}, all in hardware, takes {_cycles(most_hardware)}, {share}. "


def _algorithms(result: Exploration) -> str:
    """A comparison of better software with hardware, if the study has both."""
    software, hardware = [], []
    for row in result.rows:
        if row.measurement.partition.hardware == 0:
            software.append(row)
        elif not _rewritten(result, row):
            hardware.append(row)
    if len(software) < 2 or not hardware:
        return ""
    ours, theirs = (min(rows, key=_total) for rows in (software, hardware))
    verb = "beat" if _total(ours) < _total(theirs) else "do not beat"
    return (
        f"Better algorithms {verb} hardware: in software alone, "
        f"{ours.measurement.partition.name} takes {_cycles(ours)}; hardware with the software as "
        f"it is, {theirs.measurement.partition.name}, takes {_cycles(theirs)}. "
    )


def _rewritten(result: Exploration, row: Row) -> bool:
    """Returns true if any function of a partition is replaced by other software."""
    choice = row.measurement.partition.choice
    options = (
        candidate.option(choice[candidate.function]) for candidate in result.study.candidates
    )
    return any(option and not option.coprocessor and not option.extensions for option in options)


def _total(row: Row) -> int:
    return row.measurement.split.total


def _front(result: Exploration) -> str:
    return ", ".join(row.measurement.partition.name for row in result.rows if row.pareto)


def short(value: int) -> str:
    """A number in three digits and its unit."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return str(value)
