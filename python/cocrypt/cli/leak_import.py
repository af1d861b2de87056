"""`cocrypt leak import FILE SET`: traces of other tools as a trace set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cocrypt.cli import leak_sets
from cocrypt.errors import InputError

FILES = "FILE.npy|.cwp|.trs|.h5|.zarr"


def import_traces(
    source: Annotated[
        Path,
        typer.Argument(
            metavar=FILES,
            help="An array, a ChipWhisperer project, an Inspector trace set, HDF5 or zarr.",
        ),
    ],
    path: Annotated[Path, typer.Argument(metavar="SET", help="The new folder of the set.")],
    array: Annotated[
        str | None,
        typer.Option(
            "--array", metavar="NAME", help="The array of samples in HDF5 or zarr; else `traces`."
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="NAME=ARRAY",
            help="A column: a file beside FILE.npy, or an array in HDF5 or zarr; may be repeated.",
        ),
    ] = None,
) -> None:
    """Make a trace set of traces of another tool. Files that need pickle are refused."""
    from cocrypt.leakage import formats

    segments = formats.read(source, array, dict(_named(text) for text in column or ()))
    total = sum(len(segment.traces) for segment in segments)
    with leak_sets.progress(total, "copying traces") as step:
        formats.copy(segments, path, f"imported from {source.name}", step)
    names = ", ".join(sorted(segments[0].columns)) or "none"
    print(f"{path}: {total:,} traces of {segments[0].traces.shape[1]:,} samples; columns: {names}")


def _named(text: str) -> tuple[str, str]:
    name, equals, array = text.partition("=")
    if not (name and equals and array):
        raise InputError(
            f"`{text}` is no column with its file", "write NAME=FILE.npy: plaintext=texts.npy"
        )
    return name, array
