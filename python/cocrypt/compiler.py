"""Compilers: zig, which comes with the project, or a GCC or clang that a study names."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cocrypt import boundary, cache, log
from cocrypt.crosstools import kept
from cocrypt.errors import HostError, InputError
from cocrypt.trust.sandbox import home_of
from cocrypt.zig import PROBE, VERBOSE, Compilation, enabled, zig

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.target import InstructionSet, Target
    from cocrypt.trust import Sandbox

Kind = Literal["zig", "clang", "gcc"]
ZIG = "zig"

# Flags of every unit, beside the study's own. Frame pointer and sanitizer are zig's defaults, which
# a bare device has no use for.
FLAGS = (
    "-fomit-frame-pointer",
    "-fno-sanitize=undefined",
    "-ffreestanding",
    "-nostdlib",
    "-ffunction-sections",
    "-fdata-sections",
)
# GCC's knowledge of a function beyond its prototype must not reach its callers: another function
# may replace it.
GCC_BOUNDS = ("-fno-ipa-ra", "-fno-ipa-cp", "-fno-ipa-sra")
# The first GCC with the attribute `noipa`, which says all of it, and that keeps static functions.
GCC_WITH_NOIPA = 8
# Options that replace the attribute where it is missing.
GCC_WITHOUT_NOIPA = ("-fno-ipa-pure-const", "-fno-ipa-reference", "-fno-ipa-icf")


@dataclass(frozen=True)
class Compiler:
    """A C compiler; `command` calls it, `version` is the first line that it prints of itself.

    `is_recent` says that it takes the words of the instruction set's probe, as only recent ones do,
    and `has_noipa` that it has the attribute.
    """

    kind: Kind
    command: tuple[str, ...]
    version: str
    is_recent: bool = True
    has_noipa: bool = True

    def target(self, target: Target) -> tuple[str, ...]:
        """The words that choose an instruction set."""
        return target.words(self.kind, is_recent=self.is_recent)

    def flags(self, target: Target) -> tuple[str, ...]:
        """The flags of every unit."""
        return (*FLAGS, *target.instructions.flags[self.kind])

    def discovering(self, functions: Sequence[str]) -> tuple[str, ...]:
        """The options that keep these functions, to find out which exist."""
        if self.kind == "gcc":
            # A GCC that cannot keep all static functions omits those alone that are never called.
            keeping = ("-fkeep-static-functions",) if self.has_noipa else GCC_BOUNDS
            return ("-fno-inline", *keeping)
        return tuple(boundary.out_of_line(functions))

    def bounding(self, functions: Sequence[str]) -> tuple[str, ...]:
        """The options with which calls of these functions stay calls."""
        if self.kind == "gcc":
            return GCC_BOUNDS if self.has_noipa else (*GCC_BOUNDS, *GCC_WITHOUT_NOIPA)
        return tuple(boundary.out_of_line(functions))

    def limiting(self, frame: int) -> tuple[str, ...]:
        """The options that refuse a function with more bytes than these in its frame."""
        if self.kind == "gcc":
            return (f"-Werror=frame-larger-than={frame}",)
        return (f"-Wframe-larger-than={frame}", "-Werror=frame-larger-than")

    def keeping(self, source: Path, functions: Sequence[str]) -> str:
        """A unit that includes the source, in which others can call these functions."""
        if self.kind != "gcc":
            return boundary.keeping(source, functions)
        attributes = "noipa" if self.has_noipa else "noinline, noclone"
        return boundary.keeping(source, functions, attributes)


@once
def compiler(name: str, instructions: InstructionSet) -> Compiler:
    """The compiler of a name, or at a path.

    Raises `HostError` where it is not there, `InputError` where it is not one for the instruction
    set.
    """
    if name == ZIG:
        _require_llvm(instructions)
        name_and_package = f"zig {zig_version()} (clang), ziglang {version('ziglang')}"
        return Compiler("zig", (str(zig()), "cc"), name_and_package)
    path = kept.which(name)
    if path is None:
        instead = ", or compile with zig" if instructions.llvm else ""
        raise HostError(f"the compiler `{name}` is not installed", how_to_install(name) + instead)
    lines = run_tool([path, "--version"]).stdout.splitlines()
    first = lines[0].strip() if lines else ""
    if "clang" in first:
        return Compiler("clang", (path,), first, _is_recent(path, instructions.probe))
    machine = run_tool([path, "-dumpmachine"]).stdout.strip()
    if not machine:
        raise InputError(f"`{name}` is neither a GCC nor a clang: it says `{first}`")
    if not machine.startswith(instructions.machine):
        raise InputError(
            f"`{name}` compiles for {machine}, not for {instructions.name}",
            f"name one for {instructions.name}, such as {instructions.gcc}",
        )
    major = int(run_tool([path, "-dumpversion"]).stdout.partition(".")[0] or 0)
    return Compiler("gcc", (path,), first, has_noipa=major >= GCC_WITH_NOIPA)


def _require_llvm(instructions: InstructionSet) -> None:
    """Raises `InputError` unless zig compiles for an instruction set."""
    if not instructions.llvm:
        raise InputError(
            f"zig does not compile for {instructions.name}",
            f"compile with `{instructions.gcc}`, which is taken unless another is named",
        )


def how_to_install(program: str) -> str:
    """Advice on how to get a compiler or one of the binutils."""
    provided = kept.provider(program)
    if provided is None:
        return "install it"
    target, _ = provided
    return f"build it: `cocrypt toolchain {target.name}`, or put another one on the PATH"


def _is_recent(clang: str, probe: Sequence[str]) -> bool:
    """Returns whether a clang takes the words of a probe."""
    command = [clang, *probe, "-E", "-x", "c", os.devnull]
    return not probe or run_tool(command).returncode == 0


@once
def zig_version() -> str:
    """The version that `zig version` prints."""
    return run_tool([zig(), "version"]).stdout.strip()


@once
def lld_version() -> str:
    """The version that `ld.lld --version` prints."""
    return run_tool([zig(), "ld.lld", "--version"]).stdout.strip()


def run_tool(
    command: Sequence[str | Path], sandbox: Sandbox | None = None, scratch: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a tool of the toolchain, which writes to the scratch folder if there is one."""
    words = [str(word) for word in command]
    compilation = Compilation.of(words)
    if compilation is None:
        return _run(words, {}, sandbox, scratch)
    direct = compilation.direct()
    if direct is not None:
        process = _run(direct, {}, sandbox, scratch)
        if process.returncode == 0:
            return process
    # `zig cc` also has messages of its own for what clang refuses.
    process = _run(words, {VERBOSE: "1"}, sandbox, scratch)
    process.stderr = compilation.learn(process.stderr)
    _shorten(compilation, sandbox, scratch)
    return process


def _shorten(compilation: Compilation, sandbox: Sandbox | None, scratch: Path | None) -> None:
    """Leaves features out of a translation that are off without it, as far as clang says so."""
    if not compilation.turns_off():
        return
    record = compilation.features()
    kept = cache.read_record(record).get("kept")
    if not isinstance(kept, list) or not all(isinstance(name, str) for name in kept):
        needed = _needed(compilation, sandbox, scratch)
        if needed is None:
            return
        kept = sorted(needed)
        cache.write_record(record, {"kept": kept})
    compilation.leave_out(frozenset(kept))


def _needed(
    compilation: Compilation, sandbox: Sandbox | None, scratch: Path | None
) -> frozenset[str] | None:
    """The features that are on unless a translation turns them off; None if that is not all."""
    with tempfile.TemporaryDirectory(dir=scratch, prefix="zig-") as folder:
        source = Path(folder).resolve() / "probe.c"
        source.write_text(PROBE, encoding="utf-8")

        def on(kept: frozenset[str] | None) -> frozenset[str]:
            return enabled(_run(compilation.printing(source, kept), {}, sandbox, scratch).stdout)

        whole = on(None)
        needed = on(frozenset()) - whole
        return needed if whole and on(needed) == whole else None


def _run(
    words: Sequence[str],
    variables: Mapping[str, str],
    sandbox: Sandbox | None,
    scratch: Path | None,
) -> subprocess.CompletedProcess[str]:
    """Runs a command with further variables of the environment.

    zig gets no cache of its own, since it does not check what is in it; cocrypt keeps the results
    itself.
    """
    with tempfile.TemporaryDirectory(dir=scratch, prefix="zig-") as folder:
        folders = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        own = {**variables, **folders}
        called = words
        if sandbox is not None:
            tool = home_of(Path(words[0]))
            called = sandbox.wrap(words, scratch or Path(folder), tool, own)
        with log.command(words):
            return subprocess.run(
                called,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                env={**os.environ, **own},
            )
