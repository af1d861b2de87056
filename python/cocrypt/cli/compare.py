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
    found = comparison.compare(old, new)
    worse = found.worse(bound / 100)
    if as_json:
        output.print_json(_record(found, worse, bound))
    else:
        _show(found)
    if worse:
        first = worse[0]
        raise ProgramError(
            f"{len(worse)} figures grew by more than {bound:g} %; the most: {_text(first)}"
        )


def _show(found: Comparison) -> None:
    changed = [one for one in found.changes if one.old != one.new]
    if changed:
        output.print_table(_table(changed))
    equal = len(found.changes) - len(changed)
    print(f"{equal} of {len(found.changes)} figures are equal")
    for word, rows in (("gone", found.gone), ("new", found.added)):
        for row in rows:
            print(f"{word}: {', '.join(row)}")


def _table(changes: list[Change]) -> Table:
    made = output.table("changes", "row", "figure", "old", "new", "%", left=2)
    for one in changes:
        figures = (f"{one.old:,}", f"{one.new:,}", f"{100 * one.growth:+.2f}")
        made.add_row(", ".join(one.row), one.figure, *figures)
    return made


def _text(one: Change) -> str:
    return f"{one.figure} of {', '.join(one.row)}, from {one.old:,} to {one.new:,}"


def _record(found: Comparison, worse: list[Change], bound: float) -> dict[str, object]:
    return {
        "bound": bound,
        "changes": [
            {
                "row": list(one.row),
                "figure": one.figure,
                "old": one.old,
                "new": one.new,
                "worse": one in worse,
            }
            for one in found.changes
        ],
        "gone": [list(row) for row in found.gone],
        "added": [list(row) for row in found.added],
    }
