"""The HTML report of explorations: one self-contained page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.explore import records
from cocrypt.report import charts, plain, sections, tables, text
from cocrypt.report.diagrams.connections import script
from cocrypt.report.sheet import sheet
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.explore import Exploration


SAME = "The same image, device and inputs give the same cycles on every host."


def page(results: Sequence[Exploration]) -> str:
    """The page of a study, with a part for each device; it needs nothing but itself."""
    first = results[0]
    figures: dict[str, Any] = {}
    for number, result in enumerate(results):
        drawn = {} if result.hot is not None else charts.figures(result)
        figures |= {f"{name}-{number}": figure for name, figure in drawn.items()}
    parts = [
        tables.devices(results) if len(results) > 1 else "",
        *(
            sections.section(result, number, len(results) > 1)
            for number, result in enumerate(results)
        ),
        f"<footer>Study {escape(first.study.name)}. {SAME}</footer>",
    ]
    if any('class="box connections"' in part for part in parts):
        parts.append(script())
    values = {
        "name": first.study.name,
        "json": records.explorations(results),
        "csv": plain.csv_text(results),
    }
    headline, summary = text.headline(first), escape(text.summary(first))
    return sheet(first.study.title, headline, summary, parts, figures, values)


def framed(results: Sequence[Exploration]) -> str:
    """The page within a frame, as a notebook shows it."""
    return (
        f'<iframe srcdoc="{escape(page(results))}" title="cocrypt report" '
        'style="width: 100%; height: 56rem; border: 0"></iframe>'
    )
