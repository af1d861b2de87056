"""The agreement, the differences and their reasons for each table, computed from all figures."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cocrypt.explore import Row
    from cocrypt.reproduce.hau2011.experiment import Reproduction


def sentences(result: Reproduction) -> tuple[str, str, str]:
    """The sentences of the tables 3, 4 and 5."""
    return _table3(result), _table4(result), _table5(result)


def _table3(result: Reproduction) -> str:
    pairs = result.partitions
    paper = [published["total"] for published, _ in pairs]
    ours = [row.measurement.split.total for _, row in pairs]
    same = sum(_same_order(paper, ours, *both) for both in combinations(range(len(pairs)), 2))
    every = len(pairs) * (len(pairs) - 1) // 2
    (best, _), (_, own) = min(pairs, key=_paper_total), min(pairs, key=_own_total)
    base, (all_paper, all_own) = ours[0], pairs[-1]
    total = all_own.measurement.split.total
    return (
        f"Table 3: {same} of {every} pairs of partitions stand in the same order by T"
        f"{_singles(result)}; the gain of all hardware is {all_own.gain:.1f} instead of "
        f"{all_paper['gain']:.1f}, because our software takes {base:,} cycles where the paper's "
        f"takes {paper[0]:,} ({paper[0] / base:.1f} times as many), while all hardware takes "
        f"{total:,} against {all_paper['total']:,}; {_fastest(best, own, pairs)}."
    )


def _singles(result: Reproduction) -> str:
    """Says which function alone gains most, in both."""
    singles = [pair for pair in result.partitions if len(pair[0]["hw"]) == 1]
    if not singles:
        return ""
    paper, row = min(singles, key=_paper_total), min(singles, key=_own_total)
    alone = f"{paper[0]['hw'][0]} alone gains most in the paper ({paper[0]['gain']:.2f})"
    own = row[1].measurement.partition.hw[0]
    beside = "and in ours" if own == paper[0]["hw"][0] else f"but {own} in ours"
    return f", {alone} {beside} ({row[1].gain:.2f})"


def _fastest(best: dict[str, Any], own: Row, pairs: tuple[tuple[dict[str, Any], Row], ...]) -> str:
    """Names the fastest partition, and where the two differ the reason in cycles."""
    name = own.measurement.partition.name
    if name == best["name"]:
        return f"{name} is fastest in both"
    row = next(row for paper, row in pairs if paper["name"] == best["name"])
    mine, theirs = own.measurement.split, row.measurement.split
    if mine.software is None or theirs.software is None:
        return f"the fastest is {name} instead of {best['name']}"
    saved = mine.software - theirs.software
    paid = (theirs.total - theirs.software) - (mine.total - mine.software)
    return (
        f"the fastest is {name} instead of {best['name']}, which would save {saved:,} cycles of "
        f"software and cost {paid:,} in drivers, waiting and transfers"
    )


def _table4(result: Reproduction) -> str:
    paper = [published["speedup"] for published, _ in result.rtl]
    ours = [run.speed_ratio or 0.0 for _, run in result.rtl]
    longest, run = max(result.rtl, key=lambda pair: pair[1].rtl_cycles)
    verb = "agrees" if min(ours) > 1 else "does not hold in every row"
    return (
        f"Table 4: that the model is faster than RTL {verb}, but by {_range(ours, '.3g')} times "
        f"instead of {_range(paper, ',')}, because on {run.workload} our RTL (compiled by "
        f"Verilator, on this host) is {longest['rtl_s'] / run.rtl_seconds:,.0f} times as fast as "
        f"the paper's (ModelSim 6.4 on a Core 2 at 1.66 GHz), our model only "
        f"{longest['ctf_s'] / run.model_seconds:,.0f} times as fast as its."
    )


def _table5(result: Reproduction) -> str:
    paper = [published["error_percent"] for published, _ in result.rtl]
    worst = max(abs(run.difference) for _, run in result.rtl)
    ratios = [run.rtl_cycles / published["rtl_cycles"] for published, run in result.rtl]
    exact = "in no row" if worst == 0 else f"by up to {worst:,} cycles"
    return (
        f"Table 5: model and RTL differ {exact} instead of by {_range(paper, ',')} %, because our "
        "model's timing is that of the core's RTL, where the paper's counts are estimates with an "
        "overhead that weighs most on small operations; our RTL cycles are "
        f"{_range(ratios, '.2f')} times the paper's: core, compiler, coprocessor and measured "
        "frame are others, and we hash in software."
    )


def _range(values: list[Any], form: str) -> str:
    return f"{min(values):{form}} to {max(values):{form}}"


def _same_order(paper: list[int], ours: list[int], left: int, right: int) -> bool:
    return (paper[left] < paper[right]) == (ours[left] < ours[right])


def _paper_total(pair: tuple[dict[str, Any], Row]) -> int:
    total: int = pair[0]["total"]
    return total


def _own_total(pair: tuple[dict[str, Any], Row]) -> int:
    return pair[1].measurement.split.total
