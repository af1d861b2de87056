"""Builds the project's C files for the machine that runs the tests."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parents[2]
ECC = ROOT / "primitives/ecdsa-secp160r1/ref"
SHA1 = ROOT / "primitives/sha1/ref"
PRNG = ROOT / "primitives/prng/ref"
XOR_STREAM = ROOT / "primitives/xor-stream/ref"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]


class Field(ctypes.Structure):
    """FIELDP of field.h."""

    _fields_ = (("w", ctypes.c_uint32 * 6),)


def field(value: int) -> Field:
    """Convert a number of up to 192 bits."""
    return Field.from_buffer_copy(value.to_bytes(24, "little"))


def number(value: Field) -> int:
    """Convert back."""
    return int.from_bytes(bytes(value), "little")


def library(sources: Iterable[Path], include: Iterable[Path], *flags: str) -> ctypes.CDLL:
    """Compile C files without a warning into a shared library and load it."""
    # The loader keeps the file open, so that it may go as soon as it is loaded.
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "library.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-Wl,-Bsymbolic", *WARNINGS, *flags]
            + [f"-I{path}" for path in include]
            + [str(path) for path in sources]
            + ["-o", str(target)],
            check=True,
        )
        return ctypes.CDLL(str(target))


def vectors(path: str) -> dict[str, Any]:
    """Read a file of test vectors, named from the root of the project."""
    return tomllib.loads((ROOT / path).read_text())
