"""`cocrypt compare`: figures of two versions, for use where a regression must not pass."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import comparison
from cocrypt.cli import output
from cocrypt.cli.output import JsonOption
from cocrypt.errors import ProgramError

if TYPE_CHECKING:
    from rich.table import Table

    from cocrypt.comparison import Change, Comparison

BOUND = 1.0


def command(
    old: Annotated[
        Path, typer.Argument(metavar="OLD", help="What `--json` printed before, or a saved name.")
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="What it prints now, or a saved name.")
    ],
    bound: Annotated[
        float,
        typer.Option("--bound", min=0.0, metavar="PERCENT", help="How much a figure may grow."),
    ] = BOUND,
    as_json: JsonOption = False,
) -> None:
    """Compare figures of two runs or measurements; fail if one grew by more than the bound."""
    result = comparison.compare(old, new)
    worse = result.worse(bound / 100)
    if as_json:
        output.print_json(_record(result, worse, bound))
    else:
        _show(result)
    if worse:
        first = worse[0]
        raise ProgramError(
            f"{len(worse)} figures grew by more than {bound:g} %; the most: {_text(first)}"
        )


def _show(result: Comparison) -> None:
    changed = [change for change in result.changes if change.old != change.new]
    if changed:
        output.print_table(_table(changed))
    equal = len(result.changes) - len(changed)
    print(f"{equal} of {len(result.changes)} figures are equal")
    for word, rows in (("gone", result.gone), ("new", result.added)):
        for row in rows:
            print(f"{word}: {', '.join(row)}")


def _table(changes: list[Change]) -> Table:
    table = output.table("changes", "row", "figure", "old", "new", "%", left=2)
    for change in changes:
        figures = (f"{change.old:,}", f"{change.new:,}", f"{100 * change.growth:+.2f}")
        table.add_row(", ".join(change.row), change.figure, *figures)
    return table


def _text(change: Change) -> str:
    return f"{change.figure} of {', '.join(change.row)}, from {change.old:,} to {change.new:,}"


def _record(result: Comparison, worse: list[Change], bound: float) -> dict[str, object]:
    return {
        "bound": bound,
        "changes": [
            {
                "row": list(change.row),
                "figure": change.figure,
                "old": change.old,
                "new": change.new,
                "worse": change in worse,
            }
            for change in result.changes
        ],
        "gone": [list(row) for row in result.gone],
        "added": [list(row) for row in result.added],
    }
