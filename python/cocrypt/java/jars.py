"""Class files from files, folders and jars, with bounds on what a jar unpacks to."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.java.classfile import LARGEST, ClassFile, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError,
    NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip
"""The errors of jars that are broken, encrypted or compressed in unknown ways."""
MOST = 64 << 20
"""Bytes of all classes of a jar that are unpacked at most."""
MOST_ENTRIES = 20_000


def classes(files: Sequence[Path]) -> list[ClassFile]:
    """The classes of .class files, of jars, and of folders with all below them."""
    return [read(data, origin) for path in files for origin, data in _contents(path)]


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        found = sorted(path.rglob("*.class"))
        if not found:
            raise InputError(f"{path} holds no class files", "compile with javac --release 8 first")
        for each in found:
            yield str(each), paths.read_bytes(each)
    elif path.suffix.lower() in {".jar", ".zip"}:
        yield from _unpacked(path)
    elif path.suffix == ".java":
        raise InputError(
            f"{path} is source code, and class files are needed",
            f"compile it: javac --release 8 -d classes {path}",
        )
    else:
        yield str(path), paths.read_bytes(path)


def _unpacked(path: Path) -> Iterator[tuple[str, bytes]]:
    """The classes of a jar; sizes are counted while it is unpacked, whatever the jar claims."""
    paths.read_bytes(path)
    total = 0
    try:
        with zipfile.ZipFile(path) as jar:
            entries = [entry for entry in jar.infolist() if entry.filename.endswith(".class")]
            if len(entries) > MOST_ENTRIES:
                raise InputError(f"{path} has more than {MOST_ENTRIES:,} classes")
            for entry in entries:
                with jar.open(entry) as stream:
                    data = stream.read(LARGEST + 1)
                total += len(data)
                if len(data) > LARGEST or total > MOST:
                    raise InputError(f"{path}: its classes unpack to more than {MOST >> 20} MiB")
                yield f"{path}({entry.filename})", data
    except BROKEN as error:
        raise InputError(f"{path} is not a jar that can be read: {error}") from error
