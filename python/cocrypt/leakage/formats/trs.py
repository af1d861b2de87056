"""Trace sets of Riscure's Inspector: one file with a header of tags, then the traces.

Source: the format as Riscure's package `trsfile` documents it, in version 2, whose parameters have
names, and before, when the data of a trace were plain bytes.
"""

from __future__ import annotations

import os
import re
import struct
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from cocrypt import log
from cocrypt.errors import InputError
from cocrypt.leakage.formats.segments import Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from cocrypt.leakage.traces import TraceSet

TRACES, SAMPLES, CODING, DATA, TITLE = 0x41, 0x42, 0x43, 0x44, 0x45
DESCRIPTION, VERSION, END, DEFINITIONS = 0x47, 0x4F, 0x5F, 0x77
OFFSETS = {0x6B: "plaintext", 0x6C: "ciphertext", 0x6D: "key"}
"""The tags with the offset of a column in the data of a trace; those of its length follow."""
LENGTH = 3
"""The difference between the tags of a column's length and of its offset."""
NAMES = {"INPUT": "plaintext", "OUTPUT": "ciphertext", "KEY": "key", "TVLA:SET_INDEX": "group"}
"""Riscure's names of parameters, and the columns that they are."""
SAMPLES_FIELD = "(samples)"
"""The field of a trace with its samples, a name that no column has."""
CODINGS = {0x01: "<i1", 0x02: "<i2", 0x04: "<i4", 0x14: "<f4"}
"""Types of samples by their code."""
PARAMETERS = {0x01: "<u1", 0x02: "<i2", 0x04: "<i4", 0x14: "<f4", 0x18: "<f8", 0x31: "<u1"}
"""Types of parameters by their code, as far as columns have them."""
WIDTHS = {code: int(name[-1]) for code, name in PARAMETERS.items()} | {0x08: 8, 0x20: 1}
"""Bytes of an element of each type, with those of text and of longer numbers."""
WIDER = {
    "int8": "int16", "uint8": "uint8", "uint16": "int32", "int16": "int16", "int32": "int32",
    "uint32": "int32", "float32": "float32", "float64": "float64",
}  # fmt: skip
"""The type of a parameter that holds a column's."""
SAMPLE = WIDER | {"int8": "int8", "uint8": "int16", "float64": "float32"}
"""The type of samples that holds a set's, if its values fit."""


def read(path: Path, _: str | None, columns: Mapping[str, str]) -> list[Segment]:
    """The traces of a file, mapped and not loaded.

    Raises `InputError` for a file that is none, or shorter than it says, and for columns, which
    the file has with it.
    """
    if columns:
        raise InputError("a TRS file has its columns with it", "leave --column out")
    try:
        with path.open("rb") as file:
            tags = dict(_tags(file))
            start = file.tell()
        record = np.dtype(cast("Any", _fields(tags)))
        count = _number(tags, TRACES)
        rows = np.memmap(path, record, "r", start, (count,))
    except FileNotFoundError as error:
        raise InputError(f"there is no file {path}", "name another") from error
    except (ValueError, OverflowError, struct.error) as error:
        raise InputError(
            f"{path} is no TRS file that can be read: {error}", "export it again"
        ) from error
    names = [name for name in record.names or () if name != SAMPLES_FIELD]
    return [Segment(rows[SAMPLES_FIELD], {name: rows[name] for name in names})]


def _tags(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The tags of the header with their values; raises `ValueError` if it does not end."""
    size = os.fstat(file.fileno()).st_size
    while True:
        head = file.read(2)
        if len(head) < 2:
            raise ValueError("its header does not end")
        tag, length = head
        if length & 0x80:
            length = int.from_bytes(file.read(length & 0x7F), "little")
        if tag == END:
            return
        # A length beyond the file would take as much memory as it says.
        if length > size - file.tell():
            raise ValueError("its header does not end")
        yield tag, file.read(length)


def _number(tags: Mapping[int, bytes], tag: int, missing: int | None = None) -> int:
    if tag not in tags:
        if missing is None:
            raise ValueError(f"its header has no tag {tag:#x}")
        return missing
    return int.from_bytes(tags[tag], "little")


def _fields(tags: Mapping[int, bytes]) -> dict[str, Any]:
    """The layout of a trace: title, data and samples, with the columns within the data."""
    title, data = _number(tags, TITLE, 0), _number(tags, DATA, 0)
    fields = {}
    for name, kind, length, offset in _columns(tags):
        if offset + np.dtype(kind).itemsize * length > data:
            raise ValueError(f"`{name}` is not within the data of a trace")
        shape = (length,) if length != 1 or name in NAMES.values() else ()
        fields[name] = (np.dtype((kind, shape)), title + offset)
    code = _number(tags, CODING)
    if code not in CODINGS:
        raise ValueError(f"its samples have the code {code:#x}, which is not known")
    coding = np.dtype(CODINGS[code])
    samples = _number(tags, SAMPLES)
    fields[SAMPLES_FIELD] = (np.dtype((coding, (samples,))), title + data)
    return {
        "names": list(fields),
        "formats": [kind for kind, _ in fields.values()],
        "offsets": [offset for _, offset in fields.values()],
        "itemsize": title + data + samples * coding.itemsize,
    }


def _columns(tags: Mapping[int, bytes]) -> Iterator[tuple[str, str, int, int]]:
    """Name, type, number of elements and offset of each column in the data of a trace."""
    if _number(tags, VERSION, 0) > 1 and DEFINITIONS in tags:
        yield from _definitions(tags[DEFINITIONS])
        return
    lengths = {tag: _number(tags, tag + LENGTH, 0) for tag in OFFSETS}
    if any(lengths.values()):
        for tag, name in OFFSETS.items():
            if lengths[tag]:
                yield name, "<u1", lengths[tag], _number(tags, tag, 0)
    elif _number(tags, DATA, 0):
        yield "data", "<u1", _number(tags, DATA), 0


def _definitions(text: bytes) -> Iterator[tuple[str, str, int, int]]:
    (count,) = struct.unpack_from("<H", text)
    at = 2
    for _ in range(count):
        (size,) = struct.unpack_from("<H", text, at)
        name = text[at + 2 : at + 2 + size].decode("utf-8")
        code, length, offset = struct.unpack_from("<BHH", text, at + 2 + size)
        at += 2 + size + 5
        if code not in PARAMETERS:
            log.warn(f"the parameter {name} is left out: columns are numbers of up to 32 bits")
            continue
        column = NAMES.get(name, re.sub(r"\W", "_", name).lower())
        yield column, PARAMETERS[code], length, offset


def write(traces: TraceSet, path: Path, step: Callable[[int], object]) -> None:
    """Writes a file of version 2, with a parameter for each column.

    Raises `InputError` if the format has no type that holds the samples or a column.
    """
    coding = np.dtype(SAMPLE[traces.dtype.name])
    kinds = {
        name: np.dtype((WIDER[dtype.name], (int(np.prod(shape)),)))
        for name, (dtype, shape) in traces.columns.items()
    }
    record = np.dtype([*kinds.items(), (SAMPLES_FIELD, coding, (traces.samples,))])
    done = 0
    with path.open("wb") as file:
        file.write(_header(traces, coding, kinds))
        for rows, columns in traces.read():
            block = np.empty(len(rows), record)
            block[SAMPLES_FIELD] = _fitting("samples", rows, coding)
            for name, values in columns.items():
                flat = values.reshape(len(rows), -1)
                block[name] = _fitting(name, flat, kinds[name].base)
            file.write(block.tobytes())
            done += len(rows)
            step(done)


def _fitting(name: str, values: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        found = values.astype(kind)
    if not np.array_equal(found, values, equal_nan=kind.kind == "f"):
        raise InputError(
            f"TRS files have no type that holds the values of {name}, of type {values.dtype}",
            "round them to float32, or export the set as HDF5 or .npy",
        )
    return found


def _header(traces: TraceSet, coding: np.dtype[Any], kinds: Mapping[str, np.dtype[Any]]) -> bytes:
    codes = {np.dtype(name): code for code, name in reversed(CODINGS.items())}
    data = sum(kind.itemsize for kind in kinds.values())
    tags = [
        (TRACES, struct.pack("<I", len(traces))),
        (SAMPLES, struct.pack("<I", traces.samples)),
        (CODING, bytes([codes[coding]])),
        (DATA, struct.pack("<H", data)),
        (TITLE, bytes(1)),
        (DESCRIPTION, traces.source.encode()),
        (VERSION, b"\x02"),
        (DEFINITIONS, _defined(kinds)),
    ]
    return b"".join(_tag(tag, value) for tag, value in tags if value) + _tag(END, b"")


def _defined(kinds: Mapping[str, np.dtype[Any]]) -> bytes:
    """The definitions of columns, one behind the other."""
    theirs = {ours: name for name, ours in NAMES.items()}
    codes = {np.dtype(name): code for code, name in reversed(PARAMETERS.items())}
    parts = [struct.pack("<H", len(kinds))]
    offset = 0
    for column, kind in kinds.items():
        name = theirs.get(column, column).encode()
        length = kind.shape[0] if kind.shape else 1
        parts += [struct.pack("<H", len(name)), name]
        parts += [struct.pack("<BHH", codes[kind.base], length, offset)]
        offset += kind.itemsize
    return b"".join(parts)


def _tag(tag: int, value: bytes) -> bytes:
    """A tag with the length of its value, which takes more bytes from 128 on."""
    if len(value) < 0x80:
        return bytes([tag, len(value)]) + value
    return bytes([tag, 0x84]) + struct.pack("<I", len(value)) + value
