"""Groups of zarr, in a folder: an array with the traces, and others with a row for each trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.leakage.formats.segments import BLOCK
from cocrypt.leakage.formats.trees import TRACES, Stored, package, segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cocrypt.leakage.formats.segments import Segment
    from cocrypt.leakage.traces import TraceSet

CODECS = frozenset({
    "adler32", "bitround", "blosc", "bytes", "bz2", "crc32", "crc32c", "delta", "fixedscaleoffset",
    "fletcher32", "gzip", "lz4", "lzma", "packbits", "quantize", "sharding_indexed", "shuffle",
    "transpose", "zlib", "zstd",
})  # fmt: skip
"""Codecs that turn bytes into numbers. Others may run code, as that named pickle does."""


def read(path: Path, traces: str | None, columns: Mapping[str, str]) -> list[Segment]:
    """The traces of a group; arrays stay there and are read as they are copied.

    Raises `InputError` for a folder that is none, and for arrays whose codec might run code;
    `HostError` without zarr.
    """
    zarr = package("zarr")
    if not path.is_dir():
        raise InputError(f"there is no folder {path}", "name another")
    try:
        group = zarr.open_group(path, mode="r")
        arrays = dict(_arrays(zarr, group, ""))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no group of zarr: {error}", "name another") from error
    for name, array in arrays.items():
        _require_plain(name, array)
    found = {name: Stored(array) for name, array in arrays.items()}
    return [segment(found, traces, columns)]


def _arrays(zarr: Any, group: Any, prefix: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    for name, entry in group.members():
        if isinstance(entry, zarr.Group):
            yield from _arrays(zarr, entry, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", entry


def _require_plain(name: str, array: Any) -> None:  # noqa: ANN401 - an array of zarr.
    described = array.metadata.to_dict()
    codecs = [described.get("compressor"), *(described.get("filters") or ())]
    codecs += described.get("codecs") or ()
    for codec in filter(None, codecs):
        kind = str(codec.get("id", codec.get("name"))).removeprefix("numcodecs.")
        if kind not in CODECS:
            raise InputError(
                f"`{name}` needs the codec {kind}, which is not among those that only hold numbers",
                "save the array again with another; codecs such as pickle run code",
            )


def write(traces: TraceSet, path: Path, step: Callable[[int], object]) -> None:
    """Writes `traces` and an array for each column; raises `HostError` without zarr."""
    zarr = package("zarr")
    count, done = len(traces), 0
    group = zarr.open_group(path, mode="w-")
    group.attrs["source"] = traces.source
    chunks = min(BLOCK, max(count, 1)), traces.samples
    samples = group.create_array(
        TRACES, shape=(count, traces.samples), dtype=traces.dtype, chunks=chunks
    )
    for name in traces.columns:
        group.create_array(name, data=traces.column(name))
    for rows, _ in traces.read():
        samples[done : done + len(rows)] = rows
        done += len(rows)
        step(done)
