"""The paper's tables 2 to 5 beside ours, and table 3 on four cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.reproduce.hau2011.findings import on_core
from cocrypt.reproduce.paper import Shown, whose

if TYPE_CHECKING:
    from cocrypt.explore import Exploration
    from cocrypt.reproduce.hau2011.experiment import Reproduction


def tables(result: Reproduction) -> tuple[Shown, ...]:
    """All tables, in the paper's order."""
    third, fourth, fifth = result.sentences
    return (
        _table2(result),
        _table3(result, third),
        _cores(result),
        _table4(result, fourth),
        _table5(result, fifth),
    )


def _table2(result: Reproduction) -> Shown:
    """The operations that are hardware in each architecture; the study's are the paper's."""
    functions = [candidate.function for candidate in result.study.candidates]
    rows = []
    for paper, row in result.partitions:
        hw = row.measurement.partition.hw
        rows.append((paper["name"], *("HW" if name in hw else "SW" for name in functions)))
    heads = ("architecture", *functions)
    note = "Which operations are hardware."
    return Shown("Table 2: architectures", heads, tuple(rows), note, texts=len(heads))


def _table3(result: Reproduction, sentence: str) -> Shown:
    """Partitions: cycles, overhead and gain."""
    rows = []
    for paper, row in result.partitions:
        split = row.measurement.split
        pairs = (
            (f"{paper['computation']:,}", f"{split.computation:,}"),
            (f"{paper['communication']:,}", f"{split.communication:,}"),
            (f"{paper['total']:,}", f"{split.total:,}"),
            (f"{paper['overhead_percent']:.2f}", f"{100 * row.overhead:.2f}"),
            (f"{paper['gain']:.2f}", f"{row.gain:.2f}"),
        )
        rows.append((paper["name"], *(cell for pair in pairs for cell in pair)))
    heads = whose("sigma", "mu", "T", "gamma %", "w", texts=["partition"])
    return Shown("Table 3: partitions of ECDSA signing, cycles", heads, tuple(rows), sentence)


def _cores(result: Reproduction) -> Shown:
    """T and w of the architectures on four cores."""
    named = [
        f"{_title(explored)}, bus {explored.study.device.bus.wait}" for explored in result.cores
    ]
    columns = (f"{name}, {figure}" for name in named for figure in ("T", "w"))
    rows = []
    for paper, row in result.partitions:
        hw = row.measurement.partition.hw
        same = [explored.by_hardware(hw) for explored in result.cores]
        cells = [(f"{core.measurement.split.total:,}", f"{core.gain:.2f}") for core in same]
        rows.append((paper["name"], *(cell for pair in cells for cell in pair)))
    note = _cores_note(result)
    return Shown("Table 3 on four cores", ("partition", *columns), tuple(rows), note)


def _cores_note(result: Reproduction) -> str:
    notes = []
    for explored in result.cores:
        holding = [name for name, holds in on_core(explored).items() if holds]
        notes.append(f"{_core(explored)}: {', '.join(holding) or 'none of them'}")
    return (
        "The same program and coprocessor on a device of each core, with the paper's bus where the "
        f"core's timing is known for it. Findings that hold: {'; '.join(notes)}."
    )


def _core(explored: Exploration) -> str:
    return f"{_title(explored)} (bus {explored.study.device.bus.wait})"


def _title(explored: Exploration) -> str:
    return explored.study.device.core.title


def _table4(result: Reproduction, sentence: str) -> Shown:
    """Speed: seconds of model and RTL, and their ratio."""
    rows = []
    for paper, run in result.rtl:
        ratio = "-" if run.speed_ratio is None else f"{run.speed_ratio:.1f}"
        model = (f"{paper['ctf_s']:g}", f"{run.model_seconds:.4f}")
        rtl = (f"{paper['rtl_s']:,}", f"{run.rtl_seconds:.4f}")
        rows.append((run.workload, *model, *rtl, f"{paper['speedup']:,}", ratio))
    heads = whose("model s", "RTL s", "ratio", texts=["workload"])
    return Shown("Table 4: speed of model and RTL, all hardware", heads, tuple(rows), sentence)


def _table5(result: Reproduction, sentence: str) -> Shown:
    """Accuracy: cycles of model and RTL, and their difference."""
    rows = []
    for paper, run in result.rtl:
        cycles = (paper["ctf_cycles"], run.model_cycles, paper["rtl_cycles"], run.rtl_cycles)
        percent = f"{100 * run.difference / run.rtl_cycles:g}"
        cells = [f"{count:,}" for count in cycles]
        rows.append((run.workload, *cells, f"{paper['error_percent']}", percent))
    heads = whose("model", "RTL", "difference %", texts=["workload"])
    return Shown("Table 5: cycles of model and RTL, all hardware", heads, tuple(rows), sentence)
