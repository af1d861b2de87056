"""Class files and jars: read, verified and turned into the tables of an image."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.java import jars
from cocrypt.java.program import JavaProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

CLASS = Path(__file__).with_name("seeds") / "Aes.class"
"""`docs/examples/java/Aes.java`, compiled by javac 17 --release 8."""


def _load(path: Path) -> None:
    JavaProgram.load([path], "Aes")


def _jars() -> Sequence[Path]:
    """A jar of the class, and one in which it is not compressed."""
    found = []
    for name, way in (("packed", zipfile.ZIP_DEFLATED), ("stored", zipfile.ZIP_STORED)):
        path = paths.cache() / "fuzz" / name / f"{name}.jar"
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", way) as jar:
            jar.writestr(zipfile.ZipInfo("Aes.class"), CLASS.read_bytes(), way)
        found.append(path)
    return found


def _unpack(path: Path) -> None:
    jars.classes([path])


CLASSES = Kind("classes", lambda: [CLASS], _load)
JARS = Kind("jars", _jars, _unpack)
