"""The page of a reproduced paper: its tables beside ours, its findings, and documents in UML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cocrypt.report.sheet import sheet, table, titled
from cocrypt.reproduce.documents import call_sequence, class_diagram, state_machine
from cocrypt.reproduce.findings import on_core
from cocrypt.study import Coprocessor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.explore import Exploration, Row
    from cocrypt.reproduce import Reproduction


def page(result: Reproduction) -> str:
    """The page, which needs nothing but itself."""
    title = result.study.published_figures()["title"]
    holding = sum(one.holds for one in result.findings)
    parts = [
        titled("The findings", "What the paper concludes, in our words, and what our figures say.",
                _findings(result)),
        titled("Table 2: architectures", "Which operations are hardware.", _table2(result)),
        titled("Table 3: partitions of ECDSA signing", result.sentences[0], _table3(result)),
        titled("Table 3 on four cores", _cores_note(result), _cores(result)),
        titled("Table 4: speed of model and RTL", result.sentences[1], _table4(result)),
        titled("Table 5: cycles of model and RTL", result.sentences[2], _table5(result)),
        _documents(result),
    ]  # fmt: skip
    summary = (
        "The experiment run again, by "
        f"<code>cocrypt reproduce {escape(result.study.name)}</code>: every figure of ours was "
        "measured for this page."
    )
    return sheet(title, f"{holding} of {len(result.findings)} findings hold", summary, parts)


def _findings(result: Reproduction) -> str:
    rows = [
        (one.section, one.claim, "holds" if one.holds else "does not hold", one.why)
        for one in result.findings
    ]
    return table(("section", "finding", "", "why"), rows, 4)


def _table2(result: Reproduction) -> str:
    functions = [one.function for one in result.study.candidates]
    rows = [
        (
            paper["name"],
            *("HW" if name in row.measurement.partition.hw else "SW" for name in functions),
        )
        for paper, row in result.partitions
    ]
    return table(("architecture", *functions), rows, 5)


def _kinds(row: Row, functions: Sequence[str]) -> list[str]:
    hw = row.measurement.partition.hw
    return ["HW" if name in hw else "SW" for name in functions]


def _table3(result: Reproduction) -> str:
    heads = _heads("sigma", "mu", "T", "gamma", "w")
    rows = []
    for paper, row in result.partitions:
        split = row.measurement.split
        pairs = (
            (f"{paper['computation']:,}", f"{split.computation:,}"),
            (f"{paper['communication']:,}", f"{split.communication:,}"),
            (f"{paper['total']:,}", f"{split.total:,}"),
            (f"{paper['overhead_percent']:.2f} %", f"{100 * row.overhead:.2f} %"),
            (f"{paper['gain']:.2f}", f"{row.gain:.2f}"),
        )
        rows.append((paper["name"], *(cell for pair in pairs for cell in pair)))
    return table(("architecture", *heads), rows)


def _cores_note(result: Reproduction) -> str:
    said = []
    for found in result.cores:
        holding = [name for name, holds in on_core(found).items() if holds]
        said.append(f"{_core(found)}: {', '.join(holding) or 'none of them'}")
    return (
        "The same program and coprocessor on a device of each core, with the paper's bus where the "
        f"core's timing is known for it. Findings that hold: {'; '.join(said)}."
    )


def _core(found: Exploration) -> str:
    device = found.study.device
    return f"{device.values['core']['title']} (bus {device.bus_wait})"


def _cores(result: Reproduction) -> str:
    heads = [f"{_core(one)}: {figure}" for one in result.cores for figure in ("T", "w")]
    rows = []
    for paper, row in result.partitions:
        same: list[Row] = [one.by_hardware(row.measurement.partition.hw) for one in result.cores]
        cells = [(f"{one.measurement.split.total:,}", f"{one.gain:.2f}") for one in same]
        rows.append((paper["name"], *(cell for pair in cells for cell in pair)))
    return table(("architecture", *heads), rows)


def _heads(*names: str) -> list[str]:
    return [f"{name}, {whose}" for name in names for whose in ("paper", "ours")]


def _table4(result: Reproduction) -> str:
    heads = [
        f"{name}, {whose}" for name in ("model s", "RTL s", "ratio") for whose in ("paper", "ours")
    ]
    rows = [
        (
            run.workload,
            f"{paper['ctf_s']:g}",
            f"{run.model_seconds:.4f}",
            f"{paper['rtl_s']:,}",
            f"{run.rtl_seconds:.4f}",
            f"{paper['speedup']:,}",
            f"{run.speed_ratio or 0:.1f}",
        )
        for paper, run in result.rtl
    ]
    return table(("workload", *heads), rows)


def _table5(result: Reproduction) -> str:
    heads = [
        f"{name}, {whose}" for name in ("model", "RTL", "difference") for whose in ("paper", "ours")
    ]
    rows = [
        (
            run.workload,
            f"{paper['ctf_cycles']:,}",
            f"{run.model_cycles:,}",
            f"{paper['rtl_cycles']:,}",
            f"{run.rtl_cycles:,}",
            f"{paper['error_percent']} %",
            f"{100 * run.difference / run.rtl_cycles:g} %",
        )
        for paper, run in result.rtl
    ]
    return table(("workload", *heads), rows)


def _documents(result: Reproduction) -> str:
    study = result.study
    functions = {one.function: one.options[0].name for one in study.candidates}
    coprocessors = list(study.coprocessors(functions))
    name = Coprocessor.load(coprocessors[0]).name
    drawn = (
        (
            "Class diagram of the system",
            "Generated from the device's file, the register map and the study.",
            class_diagram(study.device, coprocessors, list(functions)),
        ),
        (
            "Sequence diagram of key generation",
            "Generated from the call tree of a run in hardware: who calls whom, and how often.",
            call_sequence(result.key, "ecdsa_public_key", name, "key generation"),
        ),
        (
            "State machine of mod_mul",
            "Generated from the coprocessor's FDL: the states that a multiplication goes through.",
            state_machine(coprocessors[0], ("multiply",)),
        ),
    )
    return "".join(
        titled(title, note, f'<div class="box plain" tabindex="0">{svg}</div>')
        for title, note, svg in drawn
    )
