"""`cocrypt leak import SOURCE SET`: traces of others as a trace set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cocrypt.cli import leak_sets
from cocrypt.errors import InputError


def import_traces(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.npy|PROJECT.cwp", help="Traces × samples, or a ChipWhisperer project."
        ),
    ],
    path: Annotated[Path, typer.Argument(metavar="SET", help="The new folder of the set.")],
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", metavar="NAME=FILE.npy", help="A column beside FILE.npy; may be repeated."
        ),
    ] = None,
) -> None:
    """Make a trace set of traces in .npy files or in a project of ChipWhisperer."""
    from cocrypt.leakage import imports

    columns = dict(_named(text) for text in column or ())
    if source.suffix == imports.PROJECT:
        if columns:
            raise InputError("a project has its columns with it", "leave --column out")
        segments = imports.chipwhisperer(source)
    else:
        segments = imports.arrays(source, columns)
    total = sum(len(segment.traces) for segment in segments)
    with leak_sets.progress(total, "copying traces") as step:
        imports.write(segments, path, f"imported from {source.name}", step)
    names = ", ".join(sorted(segments[0].columns)) or "none"
    print(f"{path}: {total:,} traces of {segments[0].traces.shape[1]:,} samples; columns: {names}")


def _named(text: str) -> tuple[str, Path]:
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise InputError(
            f"`{text}` is no column with its file", "write NAME=FILE.npy: plaintext=texts.npy"
        )
    return name, Path(file)
