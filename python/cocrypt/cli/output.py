"""Output that the verbs share: tables and JSON on stdout, messages and progress on stderr."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import log, paths, visible
from cocrypt.cli import tables
from cocrypt.cli.progress import PROGRAMS_KEPT, shown
from cocrypt.cli.tables import Plain, Shown
from cocrypt.measurement import LAST_CYCLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from rich.console import Console
    from rich.table import Table

    from cocrypt.cli.layout import Column

# Tables are not squeezed where no terminal gives a width.
WIDTH = 150

STUDY = "The study's TOML file, or the name of one that comes with cocrypt."
StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help=STUDY)]
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
    # In a file all columns stand, however wide they are; a terminal has those that fit.
    width = WIDTH
    if isinstance(table, Plain) and not _has_width():
        width = max(WIDTH, table.fit(WIDTH).whole)
    stdout(width).print(table, crop=False)


def _has_width() -> bool:
    """Returns whether the width of stdout is known."""
    return sys.stdout.isatty() or "COLUMNS" in os.environ


def stdout(width: int = WIDTH) -> Console:
    """The console for data; `width` holds where no terminal has one."""
    return Shown(
        file=visible.raw(sys.stdout),
        width=None if _has_width() else width,
        highlight=False,
        emoji=False,
        markup=False,
    )


def stderr() -> Console:
    """The console for progress."""
    return Shown(file=visible.raw(sys.stderr), stderr=True)


def report(path: Path, page: str, as_json: bool) -> None:
    """Writes a page and says where it is, on stdout unless that has JSON.

    Figures are printed before it: a page that cannot be written must not withhold them.
    """
    paths.write_page(path, _shared(path, page))
    if as_json:
        log.say(f"report: {path}")
    else:
        stdout().print(f"report: {path}", soft_wrap=True)


def _shared(path: Path, page: str) -> str:
    """The page; below the folder of reports its library is a file beside others' pages."""
    folder = paths.build() / "reports"
    if not path.is_relative_to(folder):
        return page
    # The library of pages is loaded only where a page is written.
    from cocrypt.report import library

    paths.write_page(folder / library.NAME, library.text())
    return library.linked(page, path, folder)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Shows a spinner on stderr during long work, where that is a terminal."""
    console = stderr()
    if not console.is_terminal or log.level() == log.Level.QUIET:
        yield
        return
    with console.status(what):
        yield


def verdict(verified: bool | None) -> str:
    """The verdict on an output, for a table; a dash where nothing is expected."""
    return "-" if verified is None else "yes" if verified else "NO"


def table(title: str, *columns: str | Column, left: int = 1) -> Plain:
    """An empty table.

    Of columns that are mere names the first `left` tell rows apart, and the others are figures.
    """
    kinds = [tables.key if index < left else tables.figure for index in range(len(columns))]
    all_columns = [
        make(column) if isinstance(column, str) else column
        for column, make in zip(columns, kinds, strict=True)
    ]
    return Plain(title, all_columns)


def progress(
    kept: str = PROGRAMS_KEPT,
) -> AbstractContextManager[Callable[[str, int, int], None]]:
    """Shows the progress of work on stderr; yields the function that takes each step.

    Ctrl-C prints how far the work was, and what is `kept`.
    """
    return shown(stderr(), kept, quiet=log.level() == log.Level.QUIET)
