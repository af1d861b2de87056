"""The paper's tables and figures beside ours, and the other choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010 import sentences
from cocrypt.reproduce.duarte2010.claims import doubts, external, saved_percent
from cocrypt.reproduce.paper import Shown, whose

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Pair, Timed


def tables(result: Reproduction) -> tuple[Shown, ...]:
    """All tables: the profile, those of the paper in its order, and further ones."""
    return (
        _profile(result),
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


def _times(result: Reproduction, number: str, kind: str) -> Shown:
    """Table I or II."""
    rows = []
    for published, pair in zip(result.published["row"], result.sizes, strict=True):
        run = pair.without if kind == "without" else pair.with_hardware
        energy = result.energy(run) or 0.0
        paper = published[kind]
        rows.append((
            f"{run.size:,}",
            f"{paper['Mcycles']:.4f}",
            f"{run.cycles / 1e6:.4f}",
            f"{paper['ms']:,.4f}",
            f"{1e3 * result.seconds(run):,.4f}",
            f"{paper['mJ']:,.4f}",
            f"{1e3 * energy:,.4f}",
            f"{paper['uJ_per_byte']:.4f}",
            f"{1e6 * energy / run.size:.4f}",
        ))  # fmt: skip
    heads = whose("Mcycles", "ms", "mJ", "uJ / byte", texts=["bytes"])
    title = f"Table {number}: RSA {kind} acceleration"
    return Shown(title, heads, tuple(rows), sentences.times(result, number, kind))


def _figure5(result: Reproduction) -> Shown:
    rows = []
    for published, pair in zip(result.published["row"], result.sizes, strict=True):
        paper = published["without"]["Mcycles"], published["with"]["Mcycles"]
        ours = pair.without.cycles, pair.with_hardware.cycles
        rows.append((
            f"{published['bytes']:,}",
            f"{saved_percent(*paper):.2f}",
            f"{saved_percent(*ours):.2f}",
            f"{100 * (paper[0] / paper[1] - 1):.2f}",
            f"{100 * (pair.speedup - 1):.2f}",
        ))  # fmt: skip
    heads = whose("time saved %", "faster by %", texts=["bytes"])
    title = "Figure 5: speed-up of with over without acceleration"
    return Shown(title, heads, tuple(rows), sentences.speedup(result))


def _figure6(result: Reproduction) -> Shown:
    rows = tuple(
        (f"{size:,}", f"{paper:.2f}", f"{ours:.2f}") for size, paper, ours in energies(result)
    )
    title = "Figure 6: energy saved by acceleration"
    return Shown(title, whose("saved %", texts=["bytes"]), rows, sentences.energy(result))


def energies(result: Reproduction) -> list[tuple[int, float, float]]:
    """Figure 6: bytes, and the energy saved in percent, the paper's and ours."""
    points = []
    for published, pair in zip(result.published["row"], result.sizes, strict=True):
        ours = [result.energy(run) or 0.0 for run in (pair.without, pair.with_hardware)]
        paper = saved_percent(published["without"]["mJ"], published["with"]["mJ"])
        points.append((published["bytes"], paper, saved_percent(*ours)))
    return points


def per_byte(result: Reproduction) -> list[tuple[int, float, float]]:
    """Figure 7: bytes, and the energy of a byte against that of the least size, with hardware."""
    paper = [published["with"]["uJ_per_byte"] for published in result.published["row"]]
    runs = [pair.with_hardware for pair in result.sizes]
    ours = [(result.energy(run) or 0.0) / run.size for run in runs]
    sizes = [run.size for run in runs]
    return [
        (size, theirs / paper[0], mine / ours[0])
        for size, theirs, mine in zip(sizes, paper, ours, strict=True)
    ]


def _figure7(result: Reproduction) -> Shown:
    rows = tuple(
        (f"{size:,}", f"{paper:.5f}", f"{ours:.5f}") for size, paper, ours in per_byte(result)
    )
    title = "Figure 7: energy of a byte with acceleration, that of the least size as 1"
    return Shown(title, whose("energy", texts=["bytes"]), rows, sentences.per_byte(result))


def _external(result: Reproduction) -> Shown:
    """On-chip memory against external memory, for the least size."""
    least, published = result.sizes[0], result.published["row"][0]
    kinds: tuple[tuple[str, Callable[[Pair], Timed]], ...] = (
        ("without", lambda pair: pair.without),
        ("with", lambda pair: pair.with_hardware),
    )
    rows = []
    for (kind, run), away in zip(kinds, external(result.published), strict=True):
        on_chip, external_cycles = run(least).cycles, run(result.external).cycles
        paper = 1e6 * published[kind]["Mcycles"]
        rows.append((
            f"{kind} acceleration",
            f"{paper:,.0f}",
            f"{on_chip:,}",
            f"{away:,}",
            f"{external_cycles:,}",
            f"{away / paper:.1f}",
            f"{external_cycles / on_chip:.1f}",
        ))  # fmt: skip
    heads = whose("on-chip", "external", "ratio", texts=[f"{least.without.size} bytes"])
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
    heads = ("figure", "printed", "what does not fit")
    note = "Computed from the figures that the paper prints."
    rows = tuple((doubt.figure, doubt.printed, doubt.problem) for doubt in doubts(result.published))
    return Shown("What does not fit in the paper", heads, rows, note, texts=3)
