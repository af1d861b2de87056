"""Trace sets: folders with a description and chunks of traces, which NumPy reads too.

Layout: `set.toml` (samples, types, columns, source); `000000/traces.npy` (traces × samples) and
`000000/NAME.npy` for every column, such as a plaintext; further chunks beside it; `samples.csv` if
something is known of each sample, such as its cycle and source line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from cocrypt import _native

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars

SAMPLES = "samples.csv"
# Bytes of samples in a chunk, unless its number of traces is given.
CHUNK = 32 << 20


@dataclass(frozen=True)
class TraceSet:
    """A trace set that is read; `chunks` are folders with their number of traces.

    `columns` has the type and the shape of each column for one trace.
    """

    path: Path
    samples: int
    dtype: np.dtype[Any]
    columns: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]
    source: str
    chunks: tuple[tuple[Path, int], ...]

    @classmethod
    def open(cls, path: Path | str) -> TraceSet:
        """Opens a set and checks the headers of its files.

        Raises `DiagnosticError` if it is none or broken, `OSError` if it cannot be read.
        """
        description, chunks = _native.trace_set(Path(path))
        return cls(
            Path(path),
            description["samples"],
            np.dtype(description["dtype"]),
            {
                column["name"]: (np.dtype(column["dtype"]), tuple(column["shape"]))
                for column in description["columns"]
            },
            description["source"],
            tuple((Path(folder), traces) for folder, traces in chunks),
        )

    def __len__(self) -> int:
        """The number of traces."""
        return sum(traces for _, traces in self.chunks)

    def read(self) -> Iterator[tuple[np.ndarray[Any, Any], dict[str, np.ndarray[Any, Any]]]]:
        """The traces and the columns of each chunk; samples are mapped, not loaded."""
        for folder, _ in self.chunks:
            traces = np.load(folder / "traces.npy", mmap_mode="r", allow_pickle=False)
            yield traces, {name: _load(folder, name) for name in self.columns}

    def column(self, name: str) -> np.ndarray[Any, Any]:
        """The values of a column of all traces, as traces × its shape."""
        dtype, shape = self.columns[name]
        parts = [_load(folder, name) for folder, _ in self.chunks]
        return np.concatenate(parts) if parts else np.empty((0, *shape), dtype)

    def axis(self) -> polars.DataFrame | None:
        """The facts about each sample in `samples.csv`, a row for each; None if there are none."""
        path = self.path / SAMPLES
        # Only a caller that wants a table pays for loading the library.
        import polars

        return polars.read_csv(path) if path.is_file() else None


def _load(folder: Path, name: str) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.load(folder / f"{name}.npy", allow_pickle=False)
    return array


def _converted(
    name: str, given: np.typing.ArrayLike, dtype: np.dtype[Any], shape: tuple[int, ...]
) -> np.ndarray[Any, Any]:
    """A copy in the type of the set; the types of NumPy alone would let whole numbers wrap."""
    array = np.asarray(given)
    if array.ndim != len(shape) + 1 or array.shape[1:] != shape:
        expected = " × ".join(["traces", *(f"{length:,}" for length in shape)])
        raise ValueError(f"{name} has the shape {array.shape}, not {expected}")
    whole = array.dtype.kind in "biu" or not array.size
    if not whole and not np.can_cast(array.dtype, dtype, "same_kind"):
        raise TypeError(f"{name} is of type {array.dtype}, which {dtype} does not hold")
    with np.errstate(over="ignore"):
        copy = array.astype(dtype, copy=True)
    fits = np.array_equal(copy, array) if dtype.kind in "iu" else _same_finite(copy, array)
    if not fits:
        raise TypeError(f"{name} has values that do not fit {dtype}")
    return copy


def _same_finite(copy: np.ndarray[Any, Any], array: np.ndarray[Any, Any]) -> bool:
    return np.array_equal(np.isfinite(copy), np.isfinite(array))


class TraceSetWriter:
    """Writes a trace set; a context manager that writes the last chunk at its end.

    A chunk appears when it is whole: a process that is killed loses one chunk at most.
    """

    def __init__(self, native: _native.TraceWriter, chunk: int, axis_path: Path) -> None:
        self._native = native
        self._chunk = chunk
        self._axis_path = axis_path
        self._waiting: list[tuple[np.ndarray[Any, Any], dict[str, np.ndarray[Any, Any]]]] = []
        self._dtype: np.dtype[Any]
        self._samples: int
        self._types: dict[str, tuple[np.dtype[Any], tuple[int, ...]]]

    @classmethod
    def create(
        cls,
        path: Path | str,
        samples: int,
        dtype: np.typing.DTypeLike,
        columns: Mapping[str, tuple[np.typing.DTypeLike, tuple[int, ...]]],
        source: str = "",
        chunk: int | None = None,
    ) -> TraceSetWriter:
        """Makes a set in a new folder, with so many traces in a chunk (about 32 MiB unless given).

        Raises `DiagnosticError` if the folder has content or a column's name is no name,
        `ValueError` if trace sets have no such type, `OSError` if the host fails.
        """
        types = {name: (np.dtype(given), tuple(shape)) for name, (given, shape) in columns.items()}
        native = _native.TraceWriter.create(
            Path(path),
            samples,
            np.dtype(dtype).name,
            {name: (given.name, list(shape)) for name, (given, shape) in types.items()},
            source,
        )
        row = samples * np.dtype(dtype).itemsize
        writer = cls(native, chunk or max(CHUNK // row, 1), Path(path) / SAMPLES)
        writer._dtype, writer._samples, writer._types = np.dtype(dtype), samples, types
        return writer

    @classmethod
    def resume(cls, path: Path | str, chunk: int | None = None) -> TraceSetWriter:
        """Opens a set to add traces to it, after the last whole chunk."""
        found = TraceSet.open(path)
        row = found.samples * found.dtype.itemsize
        native = _native.TraceWriter.resume(Path(path))
        writer = cls(native, chunk or max(CHUNK // row, 1), Path(path) / SAMPLES)
        writer._dtype, writer._samples = found.dtype, found.samples
        writer._types = dict(found.columns)
        return writer

    @property
    def traces(self) -> int:
        """The number of traces in whole chunks."""
        return self._native.traces

    def append(self, traces: np.typing.ArrayLike, **columns: np.typing.ArrayLike) -> None:
        """Adds traces (traces × samples) with the values of every column (traces × its shape).

        Arrays are copied, so that a buffer may be used again. Values of columns that the set does
        not have are left out. Raises `ValueError` if a column is missing, or a shape or a number of
        traces does not match; `TypeError` if a value does not fit the set's type, or is a fraction
        for whole numbers; `OSError` if the disk is full.
        """
        missing = sorted(self._types.keys() - columns.keys())
        if missing:
            raise ValueError(f"the traces have no values of the columns {', '.join(missing)}")
        rows = _converted("traces", traces, self._dtype, (self._samples,))
        values = {
            name: _converted(name, columns[name], dtype, shape)
            for name, (dtype, shape) in self._types.items()
        }
        for name, array in values.items():
            if len(array) != len(rows):
                raise ValueError(f"{name} has {len(array):,} values for {len(rows):,} traces")
        for first in range(0, len(rows), self._chunk):
            part = slice(first, first + self._chunk)
            self._waiting.append((rows[part], {name: v[part] for name, v in values.items()}))
            if sum(len(waiting) for waiting, _ in self._waiting) >= self._chunk:
                self.flush()

    def axis(self, frame: polars.DataFrame) -> None:
        """Writes what is known of each sample, a row for each: cycle, pc, function, file, line."""
        frame.write_csv(self._axis_path)

    def flush(self) -> None:
        """Writes what waits as a chunk."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        rows = np.concatenate([traces for traces, _ in waiting])
        columns = {
            name: np.concatenate([values[name] for _, values in waiting]) for name in self._types
        }
        content = {name: array.tobytes() for name, array in columns.items()}
        self._native.append(len(rows), rows.tobytes(), content)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.flush()
