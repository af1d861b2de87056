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

from cocrypt import paths
from cocrypt.java.program import library_path

EPOCH = (1980, 1, 1, 0, 0, 0)
OPTIONS = ("-nowarn", "-Xlint:-options,-unchecked", "-source", "8", "-target", "8", "-g:none")


def sources() -> Path:
    """The folder of the library's sources."""
    return paths.runtime() / "java" / "library"


def write(jar: Path) -> None:
    """Compiles the library into a jar; the same sources and compiler make the same bytes."""
    folder = sources()
    files = sorted(folder.rglob("*.java"))
    with tempfile.TemporaryDirectory() as scratch:
        command: list[str | Path] = [
            "javac",
            *OPTIONS,
            "-bootclasspath",
            "",
            "-sourcepath",
            folder,
            "-d",
            scratch,
        ]
        subprocess.run([*command, *files], check=True)
        with zipfile.ZipFile(jar, "w") as archive:
            for path in sorted(Path(scratch).rglob("*.class")):
                name = path.relative_to(scratch).as_posix()
                entry = zipfile.ZipInfo(name, EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else library_path())
