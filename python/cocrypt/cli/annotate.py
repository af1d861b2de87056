"""The table of `cocrypt profile --annotate`: a function's source and assembly side by side."""

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
    from cocrypt.cli.layout import Column

BESIDE = 116
"""Width of a terminal in characters from which source and assembly stand side by side."""
HOT = 0.1
"""The share of a function's cycles from which an instruction is shown in bold."""
FIGURES = ("executions", "cycles", figure("%", spare=1))
STALLS = "stalls: cycles beyond one for each execution; "
INTERPRETED = "cycles: those of the interpreter, without what it calls; "


def show(annotation: Annotation) -> None:
    """Prints the table, and what is missing of the sources."""
    is_wide = output.stdout().width >= BESIDE
    table = _beside(annotation) if is_wide else _below(annotation)
    kind = INTERPRETED if annotation.is_interpreted else STALLS
    table.caption = f"%: of the function's cycles; {kind}bold: a tenth of the function or more"
    output.print_table(table)
    for note in annotation.notes:
        log.say(f"note: {note}")


def title(annotation: Annotation) -> str:
    """The function, what it spent, and how much of the run that is."""
    spent = annotation.spent
    share = 100 * spent.cycles / max(1, annotation.run_cycles)
    stalls = "" if annotation.is_interpreted else f", {spent.stalls:,} of them stalls"
    return f"{annotation.function}: {spent.cycles:,} cycles, {share:.1f} % of the run{stalls}"


def _heads(annotation: Annotation) -> tuple[str | Column, ...]:
    return FIGURES if annotation.is_interpreted else (*FIGURES, "stalls")


def _beside(annotation: Annotation) -> Table:
    """Source at the left, each line where its instructions begin."""
    table = output.table(
        title(annotation),
        *(text("line"), text("source"), key("address"), key("instruction")),
        *_heads(annotation),
    )
    several = len(annotation.sources) > 1
    for line, instructions in annotation.blocks():
        source = (_line_number(line, several), _source(annotation, line))
        for number, instruction in enumerate(instructions):
            names = source if number == 0 else ("", "")
            table.add_row(
                *names,
                *_code(instruction),
                *_figures(annotation, Spent.of([instruction])),
                style=_style(annotation, instruction),
            )
    return table


def _below(annotation: Annotation) -> Table:
    """Each line of the source in a row of its own, with its sum, above its instructions."""
    names = (key("address"), key("source and instruction"))
    table = output.table(title(annotation), *names, *_heads(annotation))
    several = len(annotation.sources) > 1
    for line, instructions in annotation.blocks():
        if line is not None:
            label = f"{_line_number(line, several)}: {_source(annotation, line).strip()}"
            table.add_row("", label, *_figures(annotation, Spent.of(instructions)), style="cyan")
        for instruction in instructions:
            address, code = _code(instruction)
            table.add_row(
                address,
                f"  {code}",
                *_figures(annotation, Spent.of([instruction])),
                style=_style(annotation, instruction),
            )
    return table


def _line_number(line: Line | None, several: bool) -> str:
    if line is None:
        return "-"
    return f"{PurePath(line.file).name}:{line.number}" if several else str(line.number)


def _source(annotation: Annotation, line: Line | None) -> str:
    """A line of source, or a note that it is missing."""
    if line is None:
        return ""
    return annotation.text(line) if annotation.sources[line.file].lines else "(source not at hand)"


def _code(instruction: Instruction) -> tuple[str, str]:
    return (
        f"{instruction.address:#010x}",
        "(data)" if instruction.text is None else instruction.text,
    )


def _figures(annotation: Annotation, spent: Spent) -> tuple[str, ...]:
    if not spent.executions:
        return ("",) * len(_heads(annotation))
    share = f"{100 * spent.cycles / max(1, annotation.spent.cycles):.1f}"
    figures = (f"{spent.executions:,}", f"{spent.cycles:,}", share)
    return figures if annotation.is_interpreted else (*figures, f"{spent.stalls:,}")


def _style(annotation: Annotation, instruction: Instruction) -> str | None:
    if not instruction.executions:
        return "dim"
    return "bold" if instruction.cycles >= HOT * annotation.spent.cycles else None
