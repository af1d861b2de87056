"""`cocrypt leak export SET FILE`: a trace set in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cocrypt.cli import leak_sets
from cocrypt.cli.leak_import import FILES
from cocrypt.cli.leak_sets import SetArgument


def export_traces(
    path: SetArgument,
    target: Annotated[
        Path, typer.Argument(metavar=FILES, help="The new file; its ending says the format.")
    ],
) -> None:
    """Write a trace set for another tool: .npy, ChipWhisperer, TRS, HDF5 or zarr."""
    from cocrypt.leakage import formats
    from cocrypt.leakage.traces import TraceSet

    found = TraceSet.open(path)
    with leak_sets.progress(len(found), "copying traces") as step:
        formats.export(found, target, step)
    print(f"{target}: {len(found):,} traces of {found.samples:,} samples")
