"""Segments of traces, which the readers of all formats return and trace sets are made of.

Arrays of Python objects are refused, since loading them needs pickle, which runs code.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage.traces import TraceSetWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

BLOCK = 1024
"""Traces that are copied at a time."""
DTYPES = frozenset({"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"})


@dataclass(frozen=True)
class Segment:
    """Traces with the columns that belong to them."""

    traces: NDArray[Any]
    columns: Mapping[str, NDArray[Any]]


def load(path: Path, dtypes: Collection[str] = DTYPES) -> NDArray[Any]:
    """An array of one of the types in a .npy file, mapped and not loaded.

    Raises `InputError` if the file is none, or needs pickle.
    """
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as error:
        raise InputError(f"there is no file {path}", "name another") from error
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path} is no .npy file of plain numbers: {error}",
            "save the array with a numeric type, or leave it out; files that need pickle are not "
            "read, since loading them runs code",
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.name not in dtypes:
        raise InputError(
            f"{path} is no array of {', '.join(sorted(dtypes))}", "convert it by numpy.astype"
        )
    return array


def copy(
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
