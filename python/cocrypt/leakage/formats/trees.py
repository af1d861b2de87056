"""The common part of HDF5 files and zarr groups: named arrays, one of them with the traces."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cocrypt.errors import HostError, InputError
from cocrypt.leakage.formats.segments import DTYPES, Segment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from numpy.typing import NDArray

TRACES = "traces"
"""The name of the array with the traces, unless another is given."""


def package(name: str) -> ModuleType:
    """A package that a format needs; raises `HostError` with the extra that installs it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise HostError(
            f"{name} is missing", "install it: python -m pip install 'cocrypt[traces]'"
        ) from error


class Stored:
    """An array in a file, or a field of one with records: read slice by slice.

    It has the attributes of NumPy's arrays that copying needs, which the libraries' own lack.
    """

    def __init__(self, array: Any, field: str | None = None) -> None:  # noqa: ANN401 - of either.
        """Takes an array of h5py or zarr."""
        self._array, self._field = array, field
        kind = np.dtype(array.dtype) if field is None else array.dtype[field]
        self.dtype = kind.base
        self.shape = (*array.shape, *kind.shape)
        self.ndim = len(self.shape)

    def __len__(self) -> int:
        """The number of rows."""
        return int(self.shape[0])

    def __getitem__(self, part: slice) -> NDArray[Any]:
        """The rows of a slice."""
        rows: NDArray[Any] = np.asarray(self._array[part])
        return rows if self._field is None else rows[self._field]


def segment(
    arrays: Mapping[str, Stored], traces: str | None, columns: Mapping[str, str]
) -> Segment:
    """The segment of some arrays by their paths.

    `traces` names that of the samples; `columns` those of columns, or else all arrays beside it
    with a number for each trace become columns of their own names. Fields of records are named as
    if the records were a folder. Raises `InputError` for a name that no array has, and for arrays
    of other types than numbers.
    """
    name = (traces or TRACES).strip("/")
    samples = _named(arrays, name)
    folder = name.rpartition("/")[0]
    chosen = {column: _named(arrays, path.strip("/")) for column, path in columns.items()}
    if not columns:
        prefix = f"{folder}/" if folder else ""
        chosen = {
            path.rpartition("/")[2]: array
            for path, array in arrays.items()
            if path != name and path.startswith(prefix) and _is_column(array, len(samples))
        }
    return Segment(cast("Any", samples), cast("Any", chosen))


def _is_column(array: Stored, count: int) -> bool:
    return array.dtype.name in DTYPES and array.ndim >= 1 and len(array) == count


def _named(arrays: Mapping[str, Stored], name: str) -> Stored:
    if name not in arrays:
        raise InputError(
            f"there is no array `{name}`",
            f"name one by --array or --column: {', '.join(sorted(arrays)) or 'there are none'}",
        )
    array = arrays[name]
    if array.dtype.name not in DTYPES or array.ndim < 1:
        raise InputError(
            f"`{name}` is no array of {', '.join(sorted(DTYPES))}",
            "arrays of objects are not read, since loading them may run code",
        )
    return array
