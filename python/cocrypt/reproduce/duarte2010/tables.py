"""The paper's tables and figures beside ours, and the other choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010 import sentences
from cocrypt.reproduce.duarte2010.claims import external, saved_percent
from cocrypt.reproduce.duarte2010.settled import judged
from cocrypt.reproduce.paper import Shown, whose

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Pair, Timed


Cycles = tuple[float, float]
"""Cycles without and with the hardware."""
Point = tuple[int, float, float, float]
"""Bytes, the paper's figure, that of its processor, and that of the stand-in."""
SOURCES = ("paper", "MicroBlaze", "Ibex")
"""Whose figures stand side by side: published, on the paper's processor, on the stand-in."""


def tables(result: Reproduction) -> tuple[Shown, ...]:
    """All tables: the profile, those of the paper in its order, and further ones."""
    return (
        _profile(result),
        _calls(result),
        _times(result, "I", "without"),
        _times(result, "II", "with"),
        _figure5(result),
        _figure6(result),
        _figure7(result),
        _external(result),
        _resources(result),
        _choices(result),
        _doubts(result),
    )


def _profile(result: Reproduction) -> Shown:
    """The cycles of the profiled run by function."""
    run = result.profiled.without
    rows = tuple(
        (
            spot.name,
            f"{spot.calls:,}",
            f"{spot.self_cycles:,}",
            f"{100 * spot.self_cycles / run.total:.1f}",
            f"{spot.total_cycles:,}",
            f"{spot.bound:.2f}",
            "yes" if spot.self_cycles == spot.total_cycles else "no",
        )
        for spot in hot_spots(run.tree).spots
    )
    heads = ("function", "calls", "cycles", "% of T", "with callees", "bound", "leaf")
    title = f"Profile without acceleration, {run.size:,} bytes, whole program"
    return Shown(title, heads, rows, sentences.profile(result))


def _calls(result: Reproduction) -> Shown:
    """The hot function: cycles of a call, and its share."""
    unit, hot = result.published["coprocessor"], result.hot
    pairs = (result.profiled_native, result.profiled)
    rows = (
        (
            "cycles of a call, software",
            f"{unit['cycles_software']}",
            *(f"{pair.without.each(hot):.1f}" for pair in pairs),
        ),
        (
            "cycles of a call, hardware",
            f"{unit['cycles_hardware']}",
            *(f"{pair.with_hardware.each(hot):.1f}" for pair in pairs),
        ),
        (
            "cycles saved by a call",
            f"{unit['cycles_software'] - unit['cycles_hardware']}",
            *(f"{pair.without.each(hot) - pair.with_hardware.each(hot):.1f}" for pair in pairs),
        ),
        (
            "% of the counted cycles",
            f"{unit['hot_share_percent']}",
            *(f"{100 * pair.without.share(hot):.1f}" for pair in pairs),
        ),
    )
    heads = whose("Power()", texts=["figure"], sources=SOURCES)
    title = "The hot function on the paper's processor and on the stand-in"
    return Shown(title, heads, rows, sentences.calls(result))


def _times(result: Reproduction, number: str, kind: str) -> Shown:
    """Table I or II."""
    rows = []
    for published, *pairs in zip(
        result.published["row"], result.native.sizes, result.sizes, strict=True
    ):
        runs = [pair.without if kind == "without" else pair.with_hardware for pair in pairs]
        energies = [result.energy(run) or 0.0 for run in runs]
        paper, size = published[kind], published["bytes"]
        rows.append((
            f"{size:,}",
            f"{paper['Mcycles']:.4f}",
            *(f"{run.cycles / 1e6:.4f}" for run in runs),
            f"{paper['ms']:,.4f}",
            *(f"{1e3 * result.seconds(run):,.4f}" for run in runs),
            f"{paper['mJ']:,.4f}",
            *(f"{1e3 * energy:,.4f}" for energy in energies),
            f"{paper['uJ_per_byte']:.4f}",
            *(f"{1e6 * energy / size:.4f}" for energy in energies),
        ))  # fmt: skip
    heads = whose("Mcycles", "ms", "mJ", "uJ / byte", texts=["bytes"], sources=SOURCES)
    title = f"Table {number}: RSA {kind} acceleration"
    return Shown(title, heads, tuple(rows), sentences.times(result, number, kind))


def _figure5(result: Reproduction) -> Shown:
    rows = []
    for size, *cycles in _both(result):
        rows.append((
            f"{size:,}",
            *(f"{saved_percent(*each):.2f}" for each in cycles),
            *(f"{100 * (without / with_hardware - 1):.2f}" for without, with_hardware in cycles),
        ))  # fmt: skip
    heads = whose("time saved %", "faster by %", texts=["bytes"], sources=SOURCES)
    title = "Figure 5: speed-up of with over without acceleration"
    return Shown(title, heads, tuple(rows), sentences.speedup(result))


def _both(result: Reproduction) -> list[tuple[int, Cycles, Cycles, Cycles]]:
    """Bytes, and the cycles without and with hardware by source."""
    return [
        (
            published["bytes"],
            (1e6 * published["without"]["Mcycles"], 1e6 * published["with"]["Mcycles"]),
            (processor.without.cycles, processor.with_hardware.cycles),
            (pair.without.cycles, pair.with_hardware.cycles),
        )
        for published, processor, pair in zip(
            result.published["row"], result.native.sizes, result.sizes, strict=True
        )
    ]


def saved(result: Reproduction) -> list[Point]:
    """Figure 5: bytes, and the time saved in percent by source."""
    return [
        (size, saved_percent(*paper), saved_percent(*processor), saved_percent(*stand_in))
        for size, paper, processor, stand_in in _both(result)
    ]


def _figure6(result: Reproduction) -> Shown:
    rows = tuple(
        (f"{size:,}", *(f"{value:.2f}" for value in values)) for size, *values in energies(result)
    )
    title = "Figure 6: energy saved by acceleration"
    heads = whose("saved %", texts=["bytes"], sources=SOURCES)
    return Shown(title, heads, rows, sentences.energy(result))


def energies(result: Reproduction) -> list[Point]:
    """Figure 6: bytes, and the energy saved in percent by source."""
    points = []
    for published, *pairs in zip(
        result.published["row"], result.native.sizes, result.sizes, strict=True
    ):
        processor, stand_in = (
            saved_percent(
                *(result.energy(run) or 0.0 for run in (pair.without, pair.with_hardware))
            )
            for pair in pairs
        )
        paper = saved_percent(published["without"]["mJ"], published["with"]["mJ"])
        points.append((published["bytes"], paper, processor, stand_in))
    return points


def per_byte(result: Reproduction) -> list[Point]:
    """Figure 7: bytes, and the energy of a byte against that of the least size, with hardware."""
    paper = [published["with"]["uJ_per_byte"] for published in result.published["row"]]
    sizes = [published["bytes"] for published in result.published["row"]]
    ours = [
        [(result.energy(pair.with_hardware) or 0.0) / pair.with_hardware.size for pair in pairs]
        for pairs in (result.native.sizes, result.sizes)
    ]
    series = [[value / values[0] for value in values] for values in (paper, *ours)]
    return list(zip(sizes, *series, strict=True))


def _figure7(result: Reproduction) -> Shown:
    rows = tuple(
        (f"{size:,}", *(f"{value:.5f}" for value in values)) for size, *values in per_byte(result)
    )
    title = "Figure 7: energy of a byte with acceleration, that of the least size as 1"
    heads = whose("energy", texts=["bytes"], sources=SOURCES)
    return Shown(title, heads, rows, sentences.per_byte(result))


def _external(result: Reproduction) -> Shown:
    """On-chip memory against external memory, for the least size."""
    places = ((result.native.sizes[0], result.native.external), (result.sizes[0], result.external))
    published = result.published["row"][0]
    kinds: tuple[tuple[str, Callable[[Pair], Timed]], ...] = (
        ("without", lambda pair: pair.without),
        ("with", lambda pair: pair.with_hardware),
    )
    rows = []
    for (kind, run), away in zip(kinds, external(result.published), strict=True):
        paper = 1e6 * published[kind]["Mcycles"]
        rows.append((
            f"{kind} acceleration",
            f"{paper:,.0f}",
            *(f"{run(near).cycles:,}" for near, _ in places),
            f"{away:,}",
            *(f"{run(far).cycles:,}" for _, far in places),
            f"{away / paper:.1f}",
            *(f"{run(far).cycles / run(near).cycles:.1f}" for near, far in places),
        ))  # fmt: skip
    texts = [f"{published['bytes']} bytes"]
    heads = whose("on-chip", "external", "ratio", texts=texts, sources=SOURCES)
    title = "On-chip against external memory, cycles"
    return Shown(title, heads, tuple(rows), sentences.external(result))


def _resources(result: Reproduction) -> Shown:
    unit = result.published["coprocessor"]
    rows = [("paper: Power_HW", f"{unit['luts']}", "unknown", f"{unit['slices']}")]
    rows += [
        (name, f"{area.luts:,}", f"{area.flip_flops:,}", f"{area.slices:,}")
        for name, area in result.resources.items()
    ]
    heads = ("coprocessor", "LUTs", "flip-flops", "slices")
    return Shown("Resources in Virtex-5", heads, tuple(rows), sentences.resources(result))


def _choices(result: Reproduction) -> Shown:
    """Other choices with the same result, the fastest last."""
    base = result.choices[0]
    rows = []
    for run in sorted(result.choices, key=lambda run: -run.cycles):
        energy, unit = result.energy(run), result.coprocessor(run)
        rows.append((
            run.partition.name,
            unit or "-",
            f"{result.resources[unit].luts:,}" if unit else "0",
            f"{run.cycles:,}",
            f"{base.cycles / run.cycles:.2f}",
            "unknown" if energy is None else f"{1e3 * energy:.4f}",
        ))  # fmt: skip
    heads = ("program", "coprocessor", "LUTs", "cycles", "times as fast", "mJ")
    title = f"What the choice leaves on the table, {base.size:,} bytes"
    return Shown(title, heads, tuple(rows), sentences.choices(result), texts=2)


def _doubts(result: Reproduction) -> Shown:
    heads = ("figure", "printed", "what does not fit", "on the MicroBlaze")
    note = "Computed from the figures that the paper prints, and from runs on its processor."
    rows = tuple(
        (doubt.figure, doubt.printed, doubt.problem, doubt.native) for doubt in judged(result)
    )
    return Shown("What does not fit in the paper", heads, rows, note, texts=4)
