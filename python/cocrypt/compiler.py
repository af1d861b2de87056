"""Compilers: zig, which comes with the project, or a GCC or clang that a study names."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cocrypt import boundary
from cocrypt.errors import HostError, InputError
from cocrypt.target import ARM, RISC_V
from cocrypt.trust.sandbox import home_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.target import InstructionSet, Target
    from cocrypt.trust import Sandbox

Kind = Literal["zig", "clang", "gcc"]
ZIG = "zig"

# What every unit is compiled with, beside the study's own flags. Frame pointer and sanitizer are
# zig's defaults, which a bare device has no use for.
FLAGS = (
    "-fomit-frame-pointer",
    "-fno-sanitize=undefined",
    "-ffreestanding",
    "-nostdlib",
    "-ffunction-sections",
    "-fdata-sections",
)
# Nothing near gp: the start-up code leaves it alone.
GCC_FLAGS = {RISC_V.name: ("-fno-pic", "-msmall-data-limit=0"), ARM.name: ("-fno-pic",)}
# Nobody unwinds a stack, for which the ARM ABI has tables.
CLANG_FLAGS = {
    RISC_V.name: (),
    ARM.name: ("-fno-unwind-tables", "-fno-asynchronous-unwind-tables"),
}
# What GCC knows of a function beyond its prototype must not reach its callers: another function may
# take its place.
GCC_BOUNDS = ("-fno-ipa-ra", "-fno-ipa-cp", "-fno-ipa-sra")


@dataclass(frozen=True)
class Compiler:
    """A C compiler; `command` is how it is called, `version` what it says of itself.

    `splits_csr` says that its RV32I is without the instructions of Zicsr and Zifencei, as that of
    the manual is since 2019.
    """

    kind: Kind
    command: tuple[str, ...]
    version: str
    splits_csr: bool = True

    def target(self, target: Target) -> tuple[str, ...]:
        """The words that choose an instruction set."""
        if target.cpu is None:
            return self._riscv(target.extensions)
        return self._arm(target.cpu, "thumb" if target.thumb else "arm")

    def _riscv(self, extensions: Sequence[str]) -> tuple[str, ...]:
        """RV32I with these extensions."""
        # No compiler has heard of a core's own instructions, which begin with an x.
        known = [one for one in dict.fromkeys(extensions) if not one.startswith("x")]
        if self.kind == "zig":
            # It wants M before C.
            letters = "".join(f"+{one}" for one in sorted(known, key="mc".find))
            return ("-target", "riscv32-freestanding", f"-mcpu=generic_rv32{letters}+relax")
        letters = "".join(one for one in "mc" if one in known)
        always = ("zicsr", "zifencei") if self.splits_csr else ()
        longer = sorted({*always, *(one for one in known if len(one) > 1)})
        march = "_".join([f"-march=rv32i{letters}", *longer])
        if self.kind == "clang":
            return ("--target=riscv32-unknown-elf", march, "-mabi=ilp32", "-mrelax")
        return (march, "-mabi=ilp32")

    def _arm(self, cpu: str, code: str) -> tuple[str, ...]:
        """A core by name, in one encoding. Nobody switches a floating-point unit on."""
        if self.kind == "zig":
            name = cpu.replace("-", "_")
            return ("-target", f"{code}-freestanding-eabi", f"-mcpu={name}+soft_float")
        words = (f"-mcpu={cpu}", f"-m{code}", "-mfloat-abi=soft")
        return ("--target=arm-none-eabi", *words) if self.kind == "clang" else words

    def flags(self, target: Target) -> tuple[str, ...]:
        """What every unit is compiled with."""
        further = GCC_FLAGS if self.kind == "gcc" else CLANG_FLAGS
        return (*FLAGS, *further[target.instructions.name])

    def first_look(self, functions: Sequence[str]) -> tuple[str, ...]:
        """The options with which these functions are there, for finding out which exist."""
        if self.kind == "gcc":
            return ("-fno-inline", "-fkeep-static-functions")
        return tuple(boundary.out_of_line(functions))

    def bounding(self, functions: Sequence[str]) -> tuple[str, ...]:
        """The options with which calls of these functions stay calls."""
        return GCC_BOUNDS if self.kind == "gcc" else tuple(boundary.out_of_line(functions))

    def keeping(self, source: Path, functions: Sequence[str]) -> str:
        """A unit that is the source, and in which these functions can be called by others."""
        return boundary.keeping(source, functions, declared=self.kind == "gcc")


@cache
def compiler(name: str, instructions: InstructionSet = RISC_V) -> Compiler:
    """The compiler of a name, or at a path.

    Raises `HostError` where it is not there, `InputError` where it is not one for the instruction
    set.
    """
    if name == ZIG:
        name_and_package = f"zig {zig_version()} (clang), ziglang {version('ziglang')}"
        return Compiler("zig", (str(zig()), "cc"), name_and_package)
    found = shutil.which(name)
    if found is None:
        raise HostError(
            f"the compiler `{name}` is not installed", "install it, or compile with zig"
        )
    said = run_tool([found, "--version"]).stdout.splitlines()
    first = said[0].strip() if said else ""
    if "clang" in first:
        return Compiler("clang", (found,), first, _splits_csr(found))
    machine = run_tool([found, "-dumpmachine"]).stdout.strip()
    if not machine:
        raise InputError(f"`{name}` is neither a GCC nor a clang: it says `{first}`")
    if not machine.startswith(instructions.machine):
        raise InputError(
            f"`{name}` compiles for {machine}, not for {instructions.name}",
            f"name one for {instructions.name}, such as {instructions.gcc}",
        )
    return Compiler("gcc", (found,), first)


def _splits_csr(clang: str) -> bool:
    """Whether a clang knows Zicsr as an extension."""
    probe = ("--target=riscv32", "-march=rv32i_zicsr", "-E", "-x", "c", os.devnull)
    return run_tool([clang, *probe]).returncode == 0


@cache
def zig() -> Path:
    """The zig program of the Python package `ziglang`."""
    found = importlib.util.find_spec("ziglang")
    folder = Path(found.origin).parent if found and found.origin else None
    program = shutil.which("zig", path=folder) if folder else None
    if program is None:
        raise HostError(
            "the C cross-compiler is missing", "install it: python -m pip install ziglang"
        )
    return Path(program)


@cache
def zig_version() -> str:
    """What `zig version` says."""
    return run_tool([zig(), "version"]).stdout.strip()


@cache
def lld_version() -> str:
    """What `ld.lld --version` says."""
    return run_tool([zig(), "ld.lld", "--version"]).stdout.strip()


def run_tool(
    command: Sequence[str | Path], sandbox: Sandbox | None = None, scratch: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a tool of the toolchain, which writes to the scratch folder if there is one.

    zig has no cache of its own: what is broken in it would be taken for right, and we keep what it
    makes ourselves.
    """
    with tempfile.TemporaryDirectory(dir=scratch, prefix="zig-") as folder:
        caches = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        words = [str(word) for word in command]
        environment = {**os.environ, **caches}
        if sandbox is not None:
            tool = home_of(Path(words[0]))
            words = sandbox.wrap(words, scratch or Path(folder), tool, caches)
        return subprocess.run(
            words, capture_output=True, text=True, errors="replace", check=False, env=environment
        )
