"""Random C programs by csmith, and the checksums that they have on the host.

csmith: X. Yang, Y. Chen, E. Eide, J. Regehr, "Finding and Understanding Bugs in C Compilers", PLDI
2011. Its programs have no undefined behaviour, and print a checksum of their global variables.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cocrypt.errors import HostError

OPTIONS = ("--no-argc", "--concise", "--no-packed-struct", "--max-funcs", "4")
"""Options of csmith: programs that need no arguments, and shorter ones,
so that there is time for more of them. csmith takes addresses of packed members, which are
not aligned: that is undefined in C, and differs from hosts up to ARMv6-M."""
HOST = "cc"
HOST_LEVELS = ("-O0", "-O2")
SECONDS = 2.0
"""A program that runs longer on the host is left out; most take a few milliseconds."""

# csmith reads in its working folder how large the target's types are.
_PLATFORM = "integer size = 4\npointer size = 4\n"
# Its header asks for it on behalf of functions on floating-point numbers, which no program calls.
_MATH = "float fabsf(float value);\ndouble fabs(double value);\n"
_LONG = re.compile(r"\b(0[xX][0-9A-Fa-f]+|[0-9]+)(U?)L\b")


@dataclass(frozen=True)
class Program:
    """A program and the line that it prints."""

    seed: int
    source: Path
    include: tuple[Path, ...]
    said: str


@dataclass(frozen=True)
class Skipped:
    """A program that is left out, since it is endless or the host's own results differ."""

    seed: int
    reason: Literal["endless", "undecided"]


class Generator:
    """Makes programs in a folder; one seed always gives the same.

    Raises `HostError` where csmith, its headers or the host's compiler are missing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._csmith = _tool("csmith", "apt-get install csmith libcsmith-dev")
        self._host = _tool(HOST, "apt-get install gcc")
        stubs = self.folder / "include"
        stubs.mkdir(parents=True, exist_ok=True)
        (stubs / "math.h").write_text(_MATH, encoding="utf-8")
        (self.folder / "platform.info").write_text(_PLATFORM, encoding="utf-8")
        self._headers = headers(Path(self._csmith))
        self._stubs = stubs

    def program(self, seed: int) -> Program | Skipped:
        """The program of a seed, run on the host."""
        source = self.folder / f"program_{seed}.c"
        source.write_text(portable(self._generate(seed)), encoding="utf-8")
        outputs = {self._run(source, level) for level in HOST_LEVELS}
        if None in outputs:
            return Skipped(seed, "endless")
        if len(outputs) != 1:
            return Skipped(seed, "undecided")
        return Program(seed, source, (self._stubs, self._headers), str(outputs.pop()))

    def _generate(self, seed: int) -> str:
        command = [self._csmith, *OPTIONS, "--seed", str(seed)]
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def _run(self, source: Path, level: str) -> str | None:
        """The output of the host's own program, None if it does not end."""
        program = source.with_suffix(f".{level[1:]}")
        command = [self._host, "-w", level, f"-I{self._headers}", str(source), "-o", str(program)]
        subprocess.run(command, capture_output=True, check=True)
        try:
            run = subprocess.run(
                [program], capture_output=True, text=True, check=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return None
        finally:
            program.unlink()
        return run.stdout


def portable(text: str) -> str:
    """A program with `int` where it has `long`, so that all hosts give constants the same size.

    On the cores both have 32 bits, and nothing changes; on most hosts only `int` has.
    """
    return _LONG.sub(r"\1\2", text)


def _tool(name: str, how: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise HostError(f"`{name}` is not installed", how)
    return path


def headers(csmith: Path) -> Path:
    """The folder of csmith's headers; if installed from its sources, its name has the version."""
    near = csmith.resolve().parent.parent / "include"
    folders = sorted(header.parent for header in near.glob("csmith*/csmith.h"))
    if not folders:
        raise HostError("csmith's headers are not installed", "apt-get install libcsmith-dev")
    return folders[-1]
