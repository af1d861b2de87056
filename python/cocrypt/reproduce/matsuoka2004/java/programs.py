"""Compiles the programs in Java that run Bouncy Castle, so that users without a JDK have them.

    python -m cocrypt.reproduce.matsuoka2004.java.programs

The jars are part of the repository; a test compares them with what their sources compile to.
"""

from pathlib import Path

from cocrypt.java.library import compile_jar
from cocrypt.java.maven import obtain
from cocrypt.java.program import library_path
from cocrypt.reproduce.matsuoka2004 import engine
from cocrypt.reproduce.matsuoka2004.java.measured import BOUNCY_CASTLE, programs


def write(sources: Path, jar: Path) -> None:
    """Compiles a folder of programs into a jar; the same compiler makes the same bytes."""
    classes = f"{obtain(BOUNCY_CASTLE)}:{library_path()}"
    compile_jar(sources, ("-cp", classes, "-g:none"), jar)


def jars() -> dict[Path, Path]:
    """The jars, each with the folder of its sources."""
    return {
        programs(): programs().parent / "java",
        engine.jar(): engine.jar().with_suffix(""),
    }


if __name__ == "__main__":
    for jar, sources in jars().items():
        write(sources, jar)
