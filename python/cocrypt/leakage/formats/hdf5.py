"""HDF5 files: a dataset with the traces, and others with a row for each trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.leakage.formats.trees import TRACES, Stored, package, segment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cocrypt.leakage.formats.segments import Segment
    from cocrypt.leakage.traces import TraceSet


def read(path: Path, traces: str | None, columns: Mapping[str, str]) -> list[Segment]:
    """The traces of a file; arrays stay in it and are read as they are copied.

    Raises `InputError` for a file that is none, `HostError` without h5py.
    """
    h5py = package("h5py")
    if not path.is_file():
        raise InputError(f"there is no file {path}", "name another")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise InputError(f"{path} is no HDF5 file: {error}", "name another") from error
    found: dict[str, Stored] = {}

    def visit(name: str, entry: Any) -> None:  # noqa: ANN401 - a group or dataset of h5py.
        if not isinstance(entry, h5py.Dataset):
            return
        found[name] = Stored(entry)
        for field in entry.dtype.names or ():
            found[f"{name}/{field}"] = Stored(entry, field)

    file.visititems(visit)
    return [segment(found, traces, columns)]


def write(traces: TraceSet, path: Path, step: Callable[[int], object]) -> None:
    """Writes datasets `traces` and one for each column; raises `HostError` without h5py."""
    count, done = len(traces), 0
    with package("h5py").File(path, "w") as file:
        file.attrs["source"] = traces.source
        shape = count, traces.samples
        samples = file.create_dataset(TRACES, shape, traces.dtype)
        for name in traces.columns:
            file.create_dataset(name, data=traces.column(name))
        for rows, _ in traces.read():
            samples[done : done + len(rows)] = rows
            done += len(rows)
            step(done)
