"""What the verbs share: tables and JSON on stdout, talk and progress on stderr."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cocrypt import house, visible
from cocrypt.cli.tables import Plain, Shown
from cocrypt.measurement import LAST_CYCLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console
    from rich.table import Table

# Tables are not squeezed where no terminal gives a width.
WIDTH = 150

StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's TOML file.")]
DeviceOption = Annotated[
    str, typer.Option("--device", "-d", metavar="NAME|FILE", help="The device; see `devices`.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
MaxCyclesOption = Annotated[
    int,
    typer.Option(
        "--max-cycles",
        min=1,
        max=LAST_CYCLE,
        metavar="N",
        help="Stop a run after so many cycles.",
    ),
]


def print_json(values: dict[str, Any]) -> None:
    """Prints figures as JSON on stdout."""
    print(visible.json(json.dumps(values, indent=2, ensure_ascii=False)))


def print_table(table: Table) -> None:
    """Prints a table on stdout."""
    if isinstance(table, Plain):
        table.print_on(stdout())
    else:
        stdout().print(table)


def stdout() -> Console:
    """The console for data."""
    fixed = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Shown(
        file=visible.raw(sys.stdout),
        width=None if fixed else WIDTH,
        highlight=False,
        emoji=False,
        markup=False,
    )


def stderr() -> Console:
    """The console for signs of life."""
    return Shown(file=visible.raw(sys.stderr), stderr=True)


def report(path: Path, page: str, as_json: bool) -> None:
    """Writes a page and says where it is, on stdout unless that has JSON.

    Figures are printed before it: a page that cannot be written must not withhold them.
    """
    house.write_page(path, page)
    if as_json:
        say(f"report: {path}")
    else:
        stdout().print(f"report: {path}", soft_wrap=True)


def say(message: str) -> None:
    """Says something to the person, on stderr."""
    print(message, file=sys.stderr)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A sign of life on stderr, where that is a terminal, while something takes its time."""
    console = stderr()
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield


def verdict(verified: bool | None) -> str:
    """Whether an output is right, for a table; a dash where nobody says what is right."""
    return "-" if verified is None else "yes" if verified else "NO"


def table(title: str, *columns: str, left: int = 1) -> Plain:
    """An empty table whose first `left` columns are text and whose others are figures."""
    return Plain(title, columns, left)


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on stderr, where that is a terminal; yields what moves it."""
    console = stderr()
    if not console.is_terminal:
        yield lambda _what, _done, _all: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, all_: bar.update(
            task, description=what, completed=done, total=all_
        )
