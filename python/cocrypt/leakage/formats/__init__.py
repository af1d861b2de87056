"""Traces of other tools: formats by the endings of their names, read and written."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.leakage.formats import arrays, chipwhisperer, hdf5, trs, zarr_groups
from cocrypt.leakage.formats.segments import DTYPES, Segment, copy, load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.leakage.traces import TraceSet

__all__ = ["DTYPES", "ENDINGS", "FORMATS", "Segment", "copy", "export", "load", "read"]


@dataclass(frozen=True)
class Format:
    """Functions that read segments and write a trace set."""

    read: Callable[[Path, str | None, Mapping[str, str]], list[Segment]]
    write: Callable[[TraceSet, Path, Callable[[int], object]], None]


FORMATS: Mapping[str, Format] = {
    ".npy": Format(arrays.read, arrays.write),
    ".cwp": Format(chipwhisperer.read, chipwhisperer.write),
    ".trs": Format(trs.read, trs.write),
    ".h5": Format(hdf5.read, hdf5.write),
    ".hdf5": Format(hdf5.read, hdf5.write),
    ".zarr": Format(zarr_groups.read, zarr_groups.write),
}
"""The formats by their endings."""
ENDINGS = ", ".join(FORMATS)
NAMES_ITS_TRACES = frozenset({".h5", ".hdf5", ".zarr"})
"""Formats with several arrays, of which one is that of the samples."""


def read(path: Path, traces: str | None, columns: Mapping[str, str]) -> list[Segment]:
    """The segments of a file or folder of another tool.

    `traces` names the array of samples where there are several, `columns` the array or file of
    each column. Raises `InputError` for what is not of its format, or needs pickle; `HostError` if
    a package is missing.
    """
    if traces is not None and path.suffix not in NAMES_ITS_TRACES:
        raise InputError(f"{path.name} has no arrays with names", "leave --array out")
    return _of(path).read(path, traces, columns)


def export(traces: TraceSet, path: Path, step: Callable[[int], object]) -> None:
    """Writes a trace set for another tool, as whole files.

    Raises `InputError` if a file is there already, or the format does not hold the values.
    """
    chosen = _of(path)
    if not path.absolute().parent.is_dir():
        raise InputError(f"there is no folder {path.absolute().parent}", "make it first")
    with tempfile.TemporaryDirectory(prefix=".export-", dir=path.absolute().parent) as scratch:
        target = Path(scratch) / path.name
        chosen.write(traces, target, step)
        # The file that names the others comes last.
        parts = sorted(Path(scratch).iterdir(), key=lambda part: part == target)
        for part in parts:
            if path.with_name(part.name).exists():
                raise InputError(f"there is already a {part.name}", "name another file")
        for part in parts:
            shutil.move(part, path.with_name(part.name))


def _of(path: Path) -> Format:
    if path.suffix not in FORMATS:
        raise InputError(
            f"{path.name} is of no format that is known", f"name a file with {ENDINGS}"
        )
    return FORMATS[path.suffix]
