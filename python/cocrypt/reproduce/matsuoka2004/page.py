"""The page of the reproduced paper: its findings, and its table beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.report.sheet import sheet
from cocrypt.reproduce.compared import charts
from cocrypt.reproduce.paper import findings_table, parts

if TYPE_CHECKING:
    from cocrypt.reproduce.matsuoka2004.experiment import Reproduction


def page(result: Reproduction) -> str:
    """The page, which refers to no other file."""
    frames, figures = charts(result.tables)
    holding = sum(finding.holds for finding in result.findings)
    shown = (findings_table(result.findings), *result.tables)
    summary = (
        "The part on logic against power analysis run again, by <code>cocrypt reproduce "
        "matsuoka2004</code>: every figure of ours was computed for this page."
    )
    headline = f"{holding} of {len(result.findings)} findings hold"
    return sheet(result.published["title"], headline, summary, parts(shown, frames), figures)
