"""GNU's binutils: the assembler, for assembly that is to be encoded as GCC's assembler does it.

The linker and the other tools serve instruction sets that LLVM lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt.compiler import how_to_install, run_tool
from cocrypt.crosstools import kept
from cocrypt.errors import HostError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.target import InstructionSet, Target

# Options of GCC's driver that its assembler does not have.
DRIVER_ONLY = ("-marm",)
HANDED_ON = "-Wa,"


@dataclass(frozen=True)
class Assembler:
    """The assembler of an instruction set; `version` is the first line that it prints of itself."""

    path: Path
    version: str

    def command(
        self, target: Target, flags: Sequence[str], include: Sequence[Path], listing: Path
    ) -> list[str | Path]:
        """The command that assembles for a target, up to its input; it lists what it reads."""
        target_words = target.words("gcc", is_recent=True)
        words = [word for option in (*target_words, *flags) for word in _handed_on(option)]
        words += [
            word for word in target_words if word not in DRIVER_ONLY and not _is_for_driver(word)
        ]
        folders = [word for folder in include for word in ("-I", folder)]
        return [self.path, *words, "-g", *folders, "--MD", listing]


@dataclass(frozen=True)
class Binutil:
    """One of the binutils; `version` is the first line that it prints of itself."""

    path: Path
    version: str


def program(instructions: InstructionSet, name: str = "as") -> str:
    """The name of one of the binutils for an instruction set, with the prefix of its GCC."""
    return instructions.gcc.removesuffix("gcc") + name


@cache
def tool(instructions: InstructionSet, name: str) -> Binutil:
    """One of the binutils for an instruction set; raises `HostError` where it is not there."""
    full_name = program(instructions, name)
    path = kept.which(full_name)
    if path is None:
        raise HostError(f"`{full_name}` is not installed", how_to_install(full_name))
    return Binutil(Path(path), run_tool([path, "--version"]).stdout.partition("\n")[0])


def package(instructions: InstructionSet) -> str:
    """The name of Debian's package of the assembler."""
    return f"binutils-{program(instructions).removesuffix('-as')}"


@cache
def assembler(instructions: InstructionSet) -> Assembler:
    """GNU's assembler for an instruction set LLVM has; raises `HostError` where it is missing."""
    name = program(instructions)
    path = kept.which(name)
    if path is None:
        raise HostError(
            f'the assembler `{name}` is not installed, which `assembler = "gnu"` asks for',
            f"install GNU's binutils for {instructions.name}, in Debian {package(instructions)}; "
            'or take `assembler = "compiler"`',
        )
    return Assembler(Path(path), run_tool([path, "--version"]).stdout.partition("\n")[0])


def _is_for_driver(word: str) -> bool:
    return word.startswith(HANDED_ON)


def _handed_on(flag: str) -> list[str]:
    """The words that an option of GCC's driver hands on to the assembler."""
    return flag.removeprefix(HANDED_ON).split(",") if _is_for_driver(flag) else []
