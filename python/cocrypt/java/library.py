"""Compiles the class library with javac, so that users without a JDK have its classes.

    python -m cocrypt.java.library [JAR]

The jar is part of the repository; a test compares it with what its sources compile to.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.java.program import library_path

if TYPE_CHECKING:
    from collections.abc import Sequence

EPOCH = (1980, 1, 1, 0, 0, 0)
OPTIONS = ("-nowarn", "-Xlint:-options,-unchecked", "-source", "8", "-target", "8")


def sources() -> Path:
    """The folder of the library's sources."""
    return paths.runtime() / "java" / "library"


def write(jar: Path) -> None:
    """Compiles the library into a jar; the same sources and compiler make the same bytes."""
    compile_jar(sources(), ("-bootclasspath", "", "-g:none"), jar)


def compile_jar(folder: Path, options: Sequence[str | Path], jar: Path) -> None:
    """Compiles all sources of a folder into a jar, with further options of javac."""
    files = sorted(folder.rglob("*.java"))
    with tempfile.TemporaryDirectory() as scratch:
        command: list[str | Path] = ["javac", *OPTIONS, *options, "-sourcepath", folder]
        subprocess.run([*command, "-d", scratch, *files], check=True)
        with zipfile.ZipFile(jar, "w") as archive:
            for path in sorted(Path(scratch).rglob("*.class")):
                name = path.relative_to(scratch).as_posix()
                entry = zipfile.ZipInfo(name, EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else library_path())
