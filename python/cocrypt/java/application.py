"""Compiles the application of `studies/java-aes.toml`, so that users without a JDK have it.

    python -m cocrypt.java.application [JAR]

The jar is part of the repository; a test compares it with what its sources compile to.
"""

import sys
from pathlib import Path

from cocrypt import paths
from cocrypt.java.library import compile_jar
from cocrypt.java.program import library_path


def folder() -> Path:
    """The folder of the application, with its sources and its native methods."""
    return paths.root() / "studies" / "java-aes"


def write(jar: Path) -> None:
    """Compiles the application into a jar, with the numbers of lines for profiles."""
    compile_jar(folder() / "java", ("-cp", library_path(), "-g:lines,source"), jar)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else folder() / "application.jar")
