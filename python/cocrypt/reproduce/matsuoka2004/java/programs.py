"""Compiles the programs in Java that run Bouncy Castle, so that users without a JDK have them.

    python -m cocrypt.reproduce.matsuoka2004.java.programs [JAR]

The jar is part of the repository; a test compares it with what its sources compile to.
"""

import sys
from pathlib import Path

from cocrypt.java.library import compile_jar
from cocrypt.java.maven import obtain
from cocrypt.java.program import library_path
from cocrypt.reproduce.matsuoka2004.java.measured import BOUNCY_CASTLE, programs


def write(jar: Path) -> None:
    """Compiles the programs into a jar; the same sources and compiler make the same bytes."""
    classes = f"{obtain(BOUNCY_CASTLE)}:{library_path()}"
    compile_jar(programs().parent / "java", ("-cp", classes, "-g:none"), jar)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else programs())
