"""What `cocrypt profile --annotate` prints: a function's source and assembly side by side."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from cocrypt import log
from cocrypt.annotation import Spent
from cocrypt.cli import output
from cocrypt.cli.tables import figure, key, text

if TYPE_CHECKING:
    from rich.table import Table

    from cocrypt.annotation import Annotation, Instruction, Line

BESIDE = 116
"""Columns of a terminal from which on source and assembly have columns of their own."""
HOT = 0.1
"""The share of a function from which on an instruction is shown in bold."""
FIGURES = ("executions", "cycles", figure("%", spare=1), "stalls")
CAPTION = (
    "%: of the function's cycles; stalls: cycles beyond one for each execution; "
    "bold: a tenth of the function or more"
)


def show(found: Annotation) -> None:
    """Prints the table, and what is missing of the sources."""
    is_wide = output.stdout().width >= BESIDE
    made = _beside(found) if is_wide else _below(found)
    made.caption = CAPTION
    output.print_table(made)
    for note in found.notes:
        log.say(f"note: {note}")


def title(found: Annotation) -> str:
    """The function, what it spent, and how much of the run that is."""
    spent = found.spent
    share = 100 * spent.cycles / max(1, found.run_cycles)
    return (
        f"{found.function}: {spent.cycles:,} cycles, {share:.1f} % of the run, "
        f"{spent.stalls:,} of them stalls"
    )


def _beside(found: Annotation) -> Table:
    """Source at the left, each line where its instructions begin."""
    made = output.table(
        title(found),
        *(text("line"), text("source"), key("address"), key("instruction")),
        *FIGURES,
    )
    several = len(found.sources) > 1
    for line, some in found.blocks():
        beside = (_place(line, several), _source(found, line))
        for number, each in enumerate(some):
            names = beside if number == 0 else ("", "")
            made.add_row(
                *names, *_code(each), *_figures(found, Spent.of([each])), style=_style(found, each)
            )
    return made


def _below(found: Annotation) -> Table:
    """Each line of the source in a row of its own, with its sum, above its instructions."""
    names = (key("address"), key("source and instruction"))
    made = output.table(title(found), *names, *FIGURES)
    several = len(found.sources) > 1
    for line, some in found.blocks():
        if line is not None:
            words = f"{_place(line, several)}: {_source(found, line).strip()}"
            made.add_row("", words, *_figures(found, Spent.of(some)), style="cyan")
        for each in some:
            address, code = _code(each)
            made.add_row(
                address, f"  {code}", *_figures(found, Spent.of([each])), style=_style(found, each)
            )
    return made


def _place(line: Line | None, several: bool) -> str:
    if line is None:
        return "-"
    return f"{PurePath(line.file).name}:{line.number}" if several else str(line.number)


def _source(found: Annotation, line: Line | None) -> str:
    """A line of source, or that there is none."""
    if line is None:
        return ""
    return found.text(line) if found.sources[line.file].lines else "(source not at hand)"


def _code(each: Instruction) -> tuple[str, str]:
    return f"{each.address:#010x}", "(data)" if each.text is None else each.text


def _figures(found: Annotation, spent: Spent) -> tuple[str, ...]:
    if not spent.executions:
        return "", "", "", ""
    share = f"{100 * spent.cycles / max(1, found.spent.cycles):.1f}"
    return f"{spent.executions:,}", f"{spent.cycles:,}", share, f"{spent.stalls:,}"


def _style(found: Annotation, each: Instruction) -> str | None:
    if not each.executions:
        return "dim"
    return "bold" if each.cycles >= HOT * found.spent.cycles else None
