"""`cocrypt reproduce`: a paper's tables beside ours, regenerated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import paths
from cocrypt.cli import output, tables
from cocrypt.cli.output import JsonOption
from cocrypt.cli.progress import RUNS_KEPT
from cocrypt.errors import InputError, ProgramError
from cocrypt.reproduce import NAMES, run
from cocrypt.reproduce.paper import findings_table

if TYPE_CHECKING:
    from cocrypt.reproduce import Reproduced, Shown

PaperArgument = Annotated[
    str, typer.Argument(metavar="PAPER", help=f"Which paper: {', '.join(NAMES)}.")
]


def command(
    paper: PaperArgument,
    page: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Where the page with all of it goes."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a paper's experiment again; print its tables beside ours and what they say."""
    if paper not in NAMES:
        raise InputError(f"there is no experiment `{paper}`", paths.suggestion(paper, list(NAMES)))
    with output.progress(RUNS_KEPT) as step:
        result = run(paper, step)
    target = page or paths.build() / "reports" / paper / "paper.html"
    if as_json:
        output.print_json(result.record())
    else:
        _print(result)
    output.report(target, result.page(), as_json)
    if result.wrong:
        raise ProgramError(f"these did not give what is expected: {', '.join(result.wrong)}")


def _print(result: Reproduced) -> None:
    for shown in (*result.tables, findings_table(result.findings)):
        _print_table(shown)
        if shown.sentence:
            output.stdout().print(f"{shown.sentence}\n")


def _print_table(shown: Shown) -> None:
    # A figure's name and whose it is stand in two lines, so that columns stay narrow.
    heads = [name.replace(", ", "\n") for name in shown.heads]
    # In a table of text alone the first column names a row, else all columns of text do.
    named = 1 if shown.texts == len(heads) else shown.texts
    words = [tables.text(name) for name in heads[named : shown.texts]]
    table = output.table(shown.title, *heads[:named], *words, *heads[shown.texts :], left=named)
    for row in shown.rows:
        table.add_row(*row)
    output.print_table(table)
