"""Linkers: LLD, which comes with the project, or GNU's where LLVM lacks the instruction set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cocrypt import gnu
from cocrypt.compiler import lld_version
from cocrypt.zig import zig

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cocrypt.target import InstructionSet

FLAGS = ("--gc-sections", "-z", "max-page-size=4")
DEBUGGING = (".debug_info", ".debug_line", ".debug_aranges")


@dataclass(frozen=True)
class LinkTool:
    """A linker; `command` calls it, `version` is what it prints of itself.

    `is_lazy` says that it takes object files as members of a library between two options.
    """

    command: tuple[str | Path, ...]
    version: str
    flags: tuple[str, ...]
    is_lazy: bool

    def members(self, objects: Sequence[Path]) -> list[str | Path]:
        """Words by which object files are linked only if something needs them, if it is lazy."""
        return ["--start-lib", *objects, "--end-lib"]


@cache
def linker(instructions: InstructionSet) -> LinkTool:
    """The linker for an instruction set; raises `HostError` where it is not installed."""
    if not instructions.llvm:
        program = gnu.tool(instructions, "ld")
        order = "-EL" if instructions.convention.order == "little" else "-EB"
        return LinkTool((program.path,), program.version, (order, *FLAGS), is_lazy=False)
    # Code left out must not claim address 0 in debug information.
    nowhere = f"{instructions.nowhere:#x}"
    debugging = (("-z", f"dead-reloc-in-nonalloc={name}={nowhere}") for name in DEBUGGING)
    flags = (*FLAGS, *(word for pair in debugging for word in pair))
    return LinkTool((zig(), "ld.lld"), lld_version(), flags, is_lazy=True)


def defined(symbols: Mapping[str, int], instructions: InstructionSet) -> list[str]:
    """The linker's options that give symbols, named as C has them, their values."""
    prefix = instructions.prefix
    return [f"--defsym={prefix}{name}={value:#x}" for name, value in symbols.items()]


def spelled(options: Sequence[str], instructions: InstructionSet) -> list[str]:
    """The linker's options that name functions of C, with their names as object files have them.

    They are `-u NAME` and `--defsym=NAME=NAME`; `--wrap` takes names as C has them.
    """
    prefix, words = instructions.prefix, list[str]()
    for before, word in zip(("", *options), options, strict=False):
        if before == "-u":
            words.append(prefix + word)
        elif word.startswith("--defsym="):
            name, value = word.removeprefix("--defsym=").split("=")
            words.append(f"--defsym={prefix}{name}={prefix}{value}")
        else:
            words.append(word)
    return words
