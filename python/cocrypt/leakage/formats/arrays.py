"""Traces in .npy files, with a file beside them for each column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.leakage.formats.segments import Segment, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from cocrypt.leakage.traces import TraceSet


def read(path: Path, _: str | None, columns: Mapping[str, str]) -> list[Segment]:
    """The segment that single files make: traces × samples, and traces × … for each column.

    `columns` has the file of each. Raises `InputError` as `load` does.
    """
    return [Segment(load(path), {name: load(Path(file)) for name, file in columns.items()})]


def write(traces: TraceSet, path: Path, step: Callable[[int], object]) -> None:
    """Writes the traces, and each column as `STEM.COLUMN.npy` beside them."""
    for name in traces.columns:
        save(path.with_name(f"{path.stem}.{name}.npy"), [traces.column(name)])
    save(path, (rows for rows, _ in traces.read()), (len(traces), traces.samples), step)


def save(
    path: Path,
    parts: Iterable[NDArray[Any]],
    shape: tuple[int, ...] | None = None,
    step: Callable[[int], object] | None = None,
) -> None:
    """Writes an array whose rows come in parts; `shape` is that of all, or else of the only part.

    It is not mapped, since a full disk would end the process then.
    """
    done = 0
    with path.open("wb") as file:
        for part in parts:
            if not done:
                header = {
                    "descr": np.lib.format.dtype_to_descr(part.dtype),
                    "fortran_order": False,
                    "shape": shape or part.shape,
                }
                np.lib.format.write_array_header_1_0(file, header)
            file.write(np.ascontiguousarray(part).tobytes())
            done += len(part)
            if step is not None:
                step(done)
