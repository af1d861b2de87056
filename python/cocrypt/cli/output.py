"""What the verbs share: tables and JSON on stdout, talk and progress on stderr."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from cocrypt import house

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Tables are not squeezed where no terminal gives a width.
WIDTH = 150

StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's TOML file.")]
DeviceOption = Annotated[
    str, typer.Option("--device", "-d", metavar="NAME|FILE", help="The device; see `devices`.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
MaxCyclesOption = Annotated[
    int, typer.Option("--max-cycles", min=1, metavar="N", help="Stop a run after so many cycles.")
]


def print_json(values: dict[str, Any]) -> None:
    """Prints figures as JSON on stdout."""
    print(json.dumps(values, indent=2, ensure_ascii=False))


def print_table(table: Table) -> None:
    """Prints a table on stdout."""
    stdout().print(table)


def stdout() -> Console:
    """The console for data."""
    fixed = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if fixed else WIDTH, highlight=False, emoji=False, markup=False)


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


def table(title: str, *columns: str, left: int = 1) -> Table:
    """An empty table whose first `left` columns are text and whose others are figures."""
    made = Table(title=title, title_justify="left", title_style="bold")
    for index, name in enumerate(columns):
        if index < left:
            made.add_column(name, overflow="fold")
        else:
            # A figure that is broken over two lines cannot be read; text gives way instead.
            made.add_column(name, justify="right", no_wrap=True)
    return made


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on stderr, where that is a terminal; yields what moves it."""
    console = Console(stderr=True)
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
