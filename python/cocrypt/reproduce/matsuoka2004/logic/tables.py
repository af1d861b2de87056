"""The paper's table 3 beside ours, and the variation of power with wires that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.gates.glitches import PICO
from cocrypt.reproduce.matsuoka2004.logic.encryptions import TICK, reduction
from cocrypt.reproduce.paper import Shown, whose

if TYPE_CHECKING:
    from cocrypt.reproduce.matsuoka2004.logic.experiment import Logic, Reproduction

NANO, KILO = 1e9, 1e-3


def tables(result: Reproduction) -> tuple[Shown, ...]:
    """Table 3 for each library, and the variation."""
    names = dict.fromkeys(logic.library for logic in result.logics)
    return (*(_third(result, name) for name in names), _variation(result))


def _third(result: Reproduction, library: str) -> Shown:
    rows = []
    for logic in result.of(library):
        paper = result.published["wddl"][logic.design]
        rows.append(
            (
                logic.design,
                "one rail",
                *(f"{paper['plain_ns']:.2f}", f"{logic.single.period_s * NANO:.2f}"),
                *(f"{paper['plain_kgates']:.1f}", f"{logic.single.gates * KILO:.1f}"),
                *("", ""),
                *("", f"{logic.single.interval_s * NANO:.2f}"),
            )
        )
        rows.append(
            (
                logic.design,
                "WDDL",
                *(f"{paper['ddl_ns']:.2f}", f"{logic.double.period_s * NANO:.2f}"),
                *(f"{paper['ddl_kgates']:.1f}", f"{logic.double.gates * KILO:.1f}"),
                *(f"{paper['area_ratio']:.2f}", f"{logic.area_ratio:.2f}"),
                *(f"{paper['new_input_every_ns']:.2f}", f"{logic.double.interval_s * NANO:.2f}"),
            )
        )
    heads = whose("path ns", "gates k", "area ratio", "new inputs ns", texts=["design", "logic"])
    return Shown(f"Table 3 with {library}", heads, tuple(rows), _third_note(result, library), 2)


def _third_note(result: Reproduction, library: str) -> str:
    """The agreement, the differences and their reasons, from the figures."""
    rows = [(logic, result.published["wddl"][logic.design]) for logic in result.of(library)]
    longer = [(logic.double.period_s - logic.single.period_s) * NANO for logic, _ in rows]
    ratios = [logic.area_ratio for logic, _ in rows]
    shares = [logic.single.gates * KILO / paper["plain_kgates"] for logic, paper in rows]
    where = "" if library == "osu018" else ", whose figures are assumed,"
    return (
        f"With {library}{where} two rails cost {_range(ratios)} times the area, and the path is "
        f"{_range(longer)} ns longer. Our single rails have {_range(shares)} times the paper's "
        "gates: the paper does not show its design, whose two versions come from the synthesis "
        "tool's goals; ours differ in their S-boxes, tables in the fast one and logic in a tower "
        "of fields in the small one, and are without the registers of the bus. No wire has a "
        "delay of its own."
    )


def _variation(result: Reproduction) -> Shown:
    low, high = result.published["wddl"]["power_variation_reduction"]
    rows = []
    for logic in result.logics:
        settled = [(mismatch, "none", pair) for mismatch, pair in logic.variations.items()]
        for mismatch, glitches, pair in [*settled, (0.0, "included", logic.glitches)]:
            single, double = pair
            rows.append(
                (
                    logic.design,
                    logic.library,
                    glitches,
                    f"{100 * mismatch:g}",
                    f"{double.mean / single.mean:.2f}",
                    f"{100 * single.deviation:.3f}",
                    f"{100 * double.deviation:.4f}",
                    f"{low} to {high}",
                    f"{reduction(pair):,.0f}",
                )
            )
    heads = (
        "design",
        "library",
        "glitches",
        "deviation of wires %",
        "energy, times",
        "one rail %",
        "WDDL %",
        "factor, paper",
        "factor, ours",
    )
    return Shown(
        "Variation of a cycle's energy", heads, tuple(rows), _variation_note(result), texts=3
    )


def _variation_note(result: Reproduction) -> str:
    low, high = result.published["wddl"]["power_variation_reduction"]
    points = [
        f"{mismatches(logic, low, high)} ({logic.design}, {logic.library})"
        for logic in result.logics
    ]
    return (
        "The deviation of a cycle's energy from its mean at the same cycle of all encryptions of "
        "random texts under one key, over the mean energy; two rails take an evaluation and a "
        f"precharge for a cycle. The paper's {low} to {high} times are those of another circuit in "
        "its reference 20; ours has them where the wires deviate by "
        f"{'; '.join(points)}. Gates switch at once there; with glitches they have the delays of "
        f"the library in steps of {TICK / PICO:g} ps, and no pulse is swallowed. Two "
        "rails have no glitches, so that the delays change those of one rail alone."
    )


def mismatches(logic: Logic, low: float, high: float) -> str:
    """The deviations of wires with factors in a range, as far as they are among the measured ones.

    The variance with two rails is that of their gates, and a part that grows with the square of
    the wires' deviation: a line through the first and the last point.
    """
    first, last = (_mismatch(logic, factor) for factor in (high, low))
    if first is None or first > max(logic.variations):
        return f"more than {100 * max(logic.variations):g} %" if first else "no value"
    if last is None or last > max(logic.variations):
        return f"{100 * first:.0f} % and more"
    return f"{100 * first:.0f} to {100 * last:.0f} %"


def _mismatch(logic: Logic, factor: float) -> float | None:
    """The deviation of wires with that factor; None if there is none."""
    first, last = min(logic.variations), max(logic.variations)
    inverse = [logic.factor(mismatch) ** -2 for mismatch in (first, last)]
    slope = (inverse[1] - inverse[0]) / (last**2 - first**2)
    rest = factor**-2 - inverse[0]
    if rest < 0 or slope <= 0:
        return None
    return float((first**2 + rest / slope) ** 0.5)


def _range(values: list[float]) -> str:
    low, high = f"{min(values):.2f}", f"{max(values):.2f}"
    return low if low == high else f"{low} to {high}"
