"""Options that the verbs over trace sets share."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import paths
from cocrypt.cli import output
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SetArgument = Annotated[Path, typer.Argument(metavar="SET", help="The folder of a trace set.")]
TracesOption = Annotated[
    int | None, typer.Option("--traces", min=2, metavar="N", help="Take the first N traces.")
]
SamplesOption = Annotated[
    str | None,
    typer.Option("--samples", metavar="FROM:TO", help="Take these samples of each trace."),
]
CsvOption = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write all values, with commas.")
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write a page with charts.")
]


def bounds(text: str | None) -> tuple[int | None, int | None]:
    """The range of samples that an option gives; None for an end that it leaves out."""
    if text is None:
        return None, None
    first, colon, last = text.partition(":")
    try:
        ends = tuple(int(end) if end else None for end in (first, last))
    except ValueError:
        ends = ()
    if not colon or len(ends) != 2 or any(end is not None and end < 0 for end in ends):
        raise InputError(
            f"`{text}` is no range of samples", "write FROM:TO, as in 100:2000, :500 or 300:"
        )
    return ends[0], ends[1]


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Shows how many of so many traces are done."""
    with output.progress("nothing is kept of it") as step:
        yield lambda done: step(what, min(done, total), total)


def write_files(csv: Path | None, text: Callable[[], str]) -> None:
    """Writes the file of --csv, if it is asked for."""
    if csv is not None:
        paths.write_text(csv, text())
