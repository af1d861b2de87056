"""Programs of one C file, compiled and linked by SDCC.

Source of the options: SDCC's manual, "Command Line Options".
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt.compiler import run_tool
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from cocrypt.device import Device, Memory
    from cocrypt.trust import Project

NAME = "sdcc"
INTERNAL = "iram"
"""The name that devices give their internal data."""


def compiles(device: Device) -> bool:
    """Returns true if SDCC is the compiler for a device."""
    return device.target.instructions.gcc == NAME


def internal_data(device: Device) -> Memory:
    """The memory of internal data, which registers, variables and the stack share."""
    return next(memory for memory in device.memories if memory.name == INTERNAL)


def program(source: Path, device: Device, project: Project) -> bytes:
    """The Intel HEX file of a program that is one C file.

    Raises `HostError` where SDCC is missing, `InputError` for bad C, and for a project that may
    not call compilers.
    """
    path = shutil.which(NAME)
    if path is None:
        raise HostError(
            f"{source} cannot be compiled: SDCC is not installed",
            f"install it (Debian's package `{NAME}`), or put the Intel HEX file beside it",
        )
    internal = internal_data(device).size
    options = [f"-m{device.target.instructions.machine}", "--std-c11"]
    options += ["--iram-size", str(internal)]
    sandbox = project.sandbox(NAME, files=[source])
    with tempfile.TemporaryDirectory(prefix="cocrypt-") as folder:
        scratch = Path(folder).resolve()
        image = scratch / "program.ihx"
        process = run_tool([path, *options, source, "-o", image], sandbox, scratch)
        if process.returncode != 0 or not image.is_file():
            told = (process.stderr or process.stdout).rstrip()
            raise InputError(f"{source} cannot be compiled:\n{told}")
        return image.read_bytes()
