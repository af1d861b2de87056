"""The paper's conclusions from its tables, each with whether our figures agree, and why.

The paper: Hau, Khalil-Hani, Marsono (2011), sections 6.1 to 6.4. Every verdict is computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.reproduce.paper import Finding

if TYPE_CHECKING:
    from cocrypt.explore import Exploration, Row
    from cocrypt.reproduce.hau2011.experiment import Reproduction

SLIGHT = 0.02
"""A change of T that is no improvement worth gates."""


def findings(result: Reproduction) -> tuple[Finding, ...]:
    """All findings, in the paper's order."""
    makers = (
        _slowest,
        _fastest,
        _effective,
        _small,
        _division,
        _computing,
        _overhead,
        _speed,
        _exact,
    )
    return tuple(make(result) for make in makers)


def on_core(explored: Exploration) -> dict[str, bool]:
    """The conclusions about partitions by short names, and whether they hold on a core."""
    rows = {row.measurement.partition.name: row for row in explored.rows}
    software, hardware = rows["Arch. 1"], rows["Arch. 8"]
    best = min(rows.values(), key=_total)
    return {
        "all software is slowest": max(rows.values(), key=_total) is software,
        "all hardware is fastest": best is hardware,
        "mod_add and mod_sub gain little": all(
            abs(1 - rows[name].gain) < SLIGHT for name in ("Arch. 4", "Arch. 5", "Arch. 6")
        ),
        "mod_div gains most alone": rows["Arch. 2"].gain
        == max(rows[f"Arch. {number}"].gain for number in (2, 3, 4, 5)),
        "all hardware is bound by the bus": hardware.overhead > 0.5,
    }


def _total(row: Row) -> int:
    return row.measurement.split.total


def _rows(result: Reproduction) -> dict[str, Row]:
    return {paper["name"]: row for paper, row in result.partitions}


def _slowest(result: Reproduction) -> Finding:
    rows = _rows(result)
    worst = max(rows, key=lambda name: _total(rows[name]))
    holds = worst == "Arch. 1"
    beyond = _total(rows[worst]) - _total(rows["Arch. 1"])
    why = (
        "it takes the most cycles here too"
        if holds
        else f"{worst} takes {beyond:,} cycles more: a sum or difference costs our software less "
        "than the transfers of its operands"
    )
    return Finding("6.1", "All software takes the most cycles.", holds, why)


def _fastest(result: Reproduction) -> Finding:
    rows = _rows(result)
    best = min(rows, key=lambda name: _total(rows[name]))
    holds = best == "Arch. 8"
    more = _total(rows["Arch. 8"]) - _total(rows[best])
    why = (
        "it takes the fewest cycles here too"
        if holds
        else f"{best} takes {more:,} cycles less: sums and differences are cheaper in software"
    )
    return Finding("6.1", "All hardware takes the fewest cycles.", holds, why)


def _effective(result: Reproduction) -> Finding:
    rows = _rows(result)
    row = rows["Arch. 7"]
    beyond = max(0.0, rows["Arch. 8"].gain / row.gain - 1)
    holds = row.pareto and row.gain > 10
    why = (
        f"it is on the front of T against functions in hardware, and Arch. 8 gains "
        f"{100 * beyond:.0f} % more; but w is {row.gain:.1f}, not about 100, because our software "
        "is faster to begin with"
    )
    claim = "Multiplication and division in hardware (Arch. 7) are the most cost-effective choice."
    return Finding("6.2", claim, holds, why)


def _small(result: Reproduction) -> Finding:
    rows = _rows(result)
    changes = {name: rows[name].gain for name in ("Arch. 4", "Arch. 5", "Arch. 6")}
    holds = all(abs(1 - gain) < SLIGHT for gain in changes.values())
    listed = ", ".join(f"{name}: w = {gain:.3f}" for name, gain in changes.items())
    claim = "Addition and subtraction in hardware bring nothing significant."
    return Finding("6.2", claim, holds, listed)


def _division(result: Reproduction) -> Finding:
    gain = _rows(result)["Arch. 2"].gain
    claim = "Division alone in hardware makes it about four times as fast."
    return Finding("6.3", claim, 3.5 < gain < 5, f"w = {gain:.2f}, the paper has 4.50")


def _computing(result: Reproduction) -> Finding:
    rows = _rows(result)
    most = max(rows[f"Arch. {number}"].overhead for number in range(1, 7))
    why = (
        f"gamma is {100 * most:.2f} % at most instead of 0.10 %: mu is alike, and our T is smaller"
    )
    claim = "Up to Arch. 6 computation dominates, communication is a tenth of a percent."
    return Finding("6.3", claim, most < SLIGHT, why)


def _overhead(result: Reproduction) -> Finding:
    row = _rows(result)["Arch. 8"]
    why = (
        f"gamma is {100 * row.overhead:.1f} %, because the driver's own instructions and the poll "
        "loop count as computation here"
    )
    claim = "More than half of all-hardware's cycles are communication, yet it pays."
    return Finding("6.3", claim, row.overhead > 0.5, why)


def _speed(result: Reproduction) -> Finding:
    ratios = [run.speed_ratio or 0.0 for _, run in result.rtl]
    why = (
        f"{min(ratios):.3g} to {max(ratios):.3g} times in these runs, against Verilator instead of "
        "an interpreting simulator"
    )
    claim = "The model runs hundreds of times as fast as the RTL simulation."
    return Finding("6.4", claim, min(ratios) > 100, why)


def _exact(result: Reproduction) -> Finding:
    worst = max(abs(run.difference) for _, run in result.rtl)
    holds = worst == 0
    why = (
        "model and RTL agree to the cycle in all ten rows, small operations included"
        if holds
        else f"they differ by up to {worst:,} cycles"
    )
    claim = "The model's cycles come within 4 % of RTL for whole signatures."
    return Finding("6.4", claim, holds, why)
