"""Traces of others as trace sets: arrays in .npy files, and projects of ChipWhisperer.

Arrays of Python objects are refused, since loading them needs pickle, which runs code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage.traces import TraceSetWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

BLOCK = 1024
"""Traces that are copied at a time."""
PROJECT = ".cwp"
CHIPWHISPERER = {"textin": "plaintext", "textout": "ciphertext", "keylist": "key"}
"""The arrays of a ChipWhisperer project beside its traces, and the columns that they become."""
DTYPES = frozenset({"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"})


@dataclass(frozen=True)
class Segment:
    """Traces with the columns that belong to them."""

    traces: NDArray[Any]
    columns: Mapping[str, NDArray[Any]]


def load(path: Path) -> NDArray[Any]:
    """An array in a .npy file, mapped and not loaded.

    Raises `InputError` if the file is none, or needs pickle.
    """
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as error:
        raise InputError(f"there is no file {path}", "name another") from error
    except (ValueError, EOFError) as error:
        raise InputError(
            f"{path} is no .npy file of plain numbers: {error}",
            "save the array with a numeric type; files that need pickle are not read, since "
            "loading them runs code",
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.name not in DTYPES:
        raise InputError(
            f"{path} is no array of {', '.join(sorted(DTYPES))}", "convert it by numpy.astype"
        )
    return array


def arrays(traces: Path, columns: Mapping[str, Path]) -> list[Segment]:
    """The segment that single files make: traces × samples, and traces × … for each column."""
    return [Segment(load(traces), {name: load(path) for name, path in columns.items()})]


def chipwhisperer(project: Path) -> list[Segment]:
    """The segments of a project, in the order of their names.

    The arrays are below the folder `NAME_data/traces` beside `NAME.cwp`. Raises `InputError` if
    there are none.
    """
    folder = project.with_name(f"{project.stem}_data") / "traces"
    found = sorted(folder.rglob("*traces.npy"))
    if not project.is_file() or not found:
        raise InputError(
            f"{project} is no project of ChipWhisperer with traces: none are below {folder}",
            "name its .cwp file, with the folder of its data beside it",
        )
    return [_segment(path) for path in found]


def _segment(path: Path) -> Segment:
    traces = load(path)
    columns = {}
    for array, name in CHIPWHISPERER.items():
        file = path.with_name(path.name.removesuffix("traces.npy") + f"{array}.npy")
        if file.is_file():
            columns[name] = load(file)
    known = path.with_name(path.name.removesuffix("traces.npy") + "knownkey.npy")
    if "key" not in columns and known.is_file():
        columns["key"] = np.broadcast_to(load(known), (len(traces), *load(known).shape))
    return Segment(traces, columns)


def write(
    segments: Sequence[Segment],
    path: Path,
    source: str,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Writes segments as a new trace set and returns the number of traces.

    Raises `InputError` if they do not have the same samples and columns.
    """
    first = segments[0]
    for segment in segments:
        _check(segment, first)
    types = {name: (array.dtype, array.shape[1:]) for name, array in first.columns.items()}
    samples = first.traces.shape[1]
    done = 0
    with TraceSetWriter.create(path, samples, first.traces.dtype, types, source) as writer:
        for segment in segments:
            for start in range(0, len(segment.traces), BLOCK):
                part = slice(start, start + BLOCK)
                values = {name: array[part] for name, array in segment.columns.items()}
                writer.append(segment.traces[part], **values)
                done += len(segment.traces[part])
                if progress is not None:
                    progress(done)
    return done


def _check(segment: Segment, first: Segment) -> None:
    """Raises `InputError` unless a segment has the first's form, and a value for each trace."""
    if segment.traces.ndim != 2 or not segment.traces.shape[1]:
        raise InputError(
            f"the traces have shape {segment.traces.shape}, not traces × samples",
            "reshape the array",
        )
    if _form(segment) != _form(first):
        raise InputError(
            "the segments differ in samples, types or columns", "import them as sets of their own"
        )
    for name, array in segment.columns.items():
        if array.ndim < 1 or len(array) != len(segment.traces):
            raise InputError(
                f"`{name}` has shape {array.shape} for {len(segment.traces):,} traces",
                "give a value for each trace",
            )


def _form(segment: Segment) -> tuple[Any, ...]:
    columns = {name: (array.dtype, array.shape[1:]) for name, array in segment.columns.items()}
    return segment.traces.shape[1], segment.traces.dtype, columns
