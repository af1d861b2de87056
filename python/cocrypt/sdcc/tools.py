"""SDCC's compiler, assembler, archiver and linker: how they are called, and what they say.

Source of the options: SDCC's manual, "Command Line Options".
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.compiler import run_tool
from cocrypt.errors import DoesNotFitError, HostError, InputError
from cocrypt.sdcc.compiling import NAME, internal_data
from cocrypt.sdcc.names import EXTERNAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.trust import Sandbox

LEVELS = {"-O2": (), "-Os": ("--opt-code-size",), "-O3": ("--opt-code-speed",)}
"""SDCC's words for levels of optimisation; without any it chooses a middle way, for -O2."""
DIALECT = ("--std-c11", "-D__attribute__(words)=")
"""C11, without the hints to GCC and clang, which SDCC does not know."""
LIBRARY = ("-l", "liblonglong")
"""The products of 64 bits, the only part of its library that SDCC 4.2 does not link by itself."""
MARKS, EXIT = 0x30, 0x20
"""Peripherals from the first one on, as in cocrypt/device.h."""
AREA = re.compile(r"^(\w+) +[0-9A-F]{8} +([0-9A-F]{8}) = ", re.MULTILINE)
LAYOUT = re.compile(r"^0x[0-9a-f]0:((?:\|.){16})", re.MULTILINE)
"""A row of the map of internal data, with a letter for what is at each address."""
TAKEN = frozenset("abcdefghijklmnopqrstuvwxyzQBIT")
FULL = re.compile(
    r"Could not get|Insufficient|exceeds|Not enough|[Oo]verflow|too (?:large|big)|No space"
)


def run(command: Sequence[str | Path], sandbox: Sandbox | None, scratch: Path, failure: str) -> str:
    """Runs a tool of SDCC; returns what it prints. Raises `InputError` where it fails."""
    process = run_tool(command, sandbox, scratch)
    if process.returncode != 0:
        # The preprocessor's output is the file as far as it came.
        texts = (process.stderr,) if "-E" in command else (process.stdout, process.stderr)
        told = "\n".join(text.rstrip() for text in texts if text.strip())
        raise InputError(f"{failure}:\n{told}")
    return process.stdout + process.stderr


def link(options: Sequence[str | Path], scratch: Path, what: str, device: Device) -> None:
    """Links by SDCC; raises `DoesNotFitError` for memory that is too small."""
    failure = f"{what} cannot be linked for {device.name}"
    try:
        told = run([sdcc(), *options], None, scratch, failure)
    except InputError as error:
        if not FULL.search(error.message):
            raise
        raise DoesNotFitError(
            error.message, "take a device with more memory", _room(error.message)
        ) from error
    undefined = re.search(r"Undefined Global '_(\w+)'", told)
    if undefined:
        raise InputError(f"{failure}: nothing defines `{undefined[1]}`")


def assemble(source: Path, sandbox: Sandbox | None, failure: str) -> Path:
    """The object file of an assembly file, beside it."""
    output = source.with_suffix(".rel")
    run([tool("sdas8051"), "-plosgff", output, source], sandbox, source.parent, failure)
    return output


def start(device: Device, name: str, entries: Sequence[str]) -> str:
    """The assembly of start-up code, of the runtime's file of this name, and of its entries."""
    folder = paths.runtime() / device.target.instructions.machine
    texts = [(folder / f"{part}.asm").read_text(encoding="utf-8") for part in ("start", name)]
    base = device.peripherals_base - EXTERNAL
    equates = f"MARKS = {base + MARKS:#x}\nEXIT_DEVICE = {base + EXIT:#x}\n"
    return "\n".join([equates, *texts, *entries, ""])


def memory_options(device: Device) -> list[str]:
    """The linker's options for the sizes of a device's memories."""
    internal = internal_data(device).size
    code = next(memory.size for memory in device.memories if memory.kind == "rom")
    options = [f"-m{device.target.instructions.machine}", "--model-large"]
    options += ["--iram-size", str(internal), "--xram-size", str(device.ram.size)]
    return [*options, "--code-size", str(code), *LIBRARY]


def code_options(device: Device, flags: Iterable[str]) -> list[str]:
    """The compiler's options for a device and for flags, of which it is given those it knows."""
    given = [word for flag in flags for word in LEVELS.get(flag, (flag,)) if flag != "-g"]
    known = [word for word in given if word.startswith(("-D", "-U", "--"))]
    return [f"-m{device.target.instructions.machine}", *DIALECT, "--model-large", *known]


def areas(listing: str) -> dict[str, int]:
    """The bytes of each of a program's areas, from the linker's map."""
    return {name: int(size, 16) for name, size in AREA.findall(listing)}


def taken(memory: str) -> int:
    """Bytes of internal data that are taken, without registers and the stack."""
    rows = "".join(
        row.replace("|", "", 1) if row[:1] == "|" else row for row in LAYOUT.findall(memory)
    )
    return sum(letter in TAKEN for letter in rows.replace("|", ""))


def without_folder(path: Path) -> None:
    """Removes the first line of an object file, which names the folder that it was made in."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(";!FILE")))


def description(device: Device, flags: Sequence[str]) -> dict[str, Any]:
    """The versions and flags that it takes to build the same image."""
    given = [word for flag in flags for word in LEVELS.get(flag, (flag,))]
    return {
        "compiler": version(),
        "linker": version(),
        "target": f"-m{device.target.instructions.machine} --model-large",
        "flags": [*DIALECT, *given],
        "link_flags": memory_options(device),
    }


@cache
def tool(name: str) -> str:
    """The path of one of SDCC's tools; raises `HostError` where it is missing."""
    path = shutil.which(name)
    if path is None:
        raise HostError(
            f"`{name}` is not installed, and C for the 8051 is compiled by SDCC",
            f"install it (Debian's package `{NAME}`)",
        )
    return path


def sdcc() -> str:
    """The path of the compiler, which calls the other tools as well."""
    return tool(NAME)


@cache
def version() -> str:
    """The first line that SDCC prints of itself."""
    return run_tool([sdcc(), "--version"]).stdout.splitlines()[0]


def _room(message: str) -> str:
    """The memory that is too small, from the linker's message."""
    lowered = message.lower()
    if "internal" in lowered or "iram" in lowered or "stack" in lowered or "dseg" in lowered:
        return "internal data is too small for it"
    if "xram" in lowered or "external" in lowered:
        return "external data is too small for it"
    return "its code is too large"
