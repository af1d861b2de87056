"""The page of the reproduced paper: its findings, its tables beside ours, and documents in UML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.coprocessor import Coprocessor
from cocrypt.report.sheet import sheet, titled
from cocrypt.reproduce.compared import charts
from cocrypt.reproduce.hau2011.documents import call_sequence, class_diagram, state_machine
from cocrypt.reproduce.paper import findings_table, parts
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.reproduce.hau2011.experiment import Reproduction


def page(result: Reproduction) -> str:
    """The page, which refers to no other file."""
    title = result.study.published_figures()["title"]
    holding = sum(finding.holds for finding in result.findings)
    shown = (findings_table(result.findings), *result.tables)
    summary = (
        "The experiment run again, by "
        f"<code>cocrypt reproduce {escape(result.study.name)}</code>: every figure of ours was "
        "measured for this page."
    )
    headline = f"{holding} of {len(result.findings)} findings hold"
    frames, figures = charts(result.tables)
    return sheet(title, headline, summary, [*parts(shown, frames), _documents(result)], figures)


def _documents(result: Reproduction) -> str:
    study = result.study
    functions = {candidate.function: candidate.options[0].name for candidate in study.candidates}
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
