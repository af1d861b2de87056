"""Runs batches of programs on a built simulator."""

from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt.rtl.configuration import Configuration, Waits
from cocrypt.rtl.tools import RtlError

if TYPE_CHECKING:
    from collections.abc import Sequence

ISSUED = struct.Struct("<QQ")


@dataclass(frozen=True, slots=True)
class Job:
    """A program to run: its bytes from address 0, its system, and the results to return.

    `dumps` are address and size of the memory to return, in bytes; `trace` asks for all issued
    instructions; `console_input` is the input of the console.
    """

    image: bytes
    configuration: Configuration
    waits: Waits = field(default_factory=Waits)
    max_cycles: int = 100_000_000
    dumps: tuple[tuple[int, int], ...] = ()
    trace: bool = False
    console_input: bytes = b""


@dataclass(frozen=True, slots=True)
class RtlResult:
    """The end of a program at register-transfer level.

    `stop` is exit, trap, fault (no device answers at `address`) or cycle_limit. `cycles` counts
    from the release of reset up to and including the cycle of the stop, which for a fault is that
    of the request; `instructions` counts those issued until then, `pc` is the last of them.
    `issues` are pairs of cycle and address of issued instructions, `marks` pairs of cycle and
    value. `seconds` is host time.
    """

    stop: str
    exit_code: int | None
    address: int | None
    pc: int
    cycles: int
    instructions: int
    registers: tuple[int, ...]
    console: bytes
    marks: tuple[tuple[int, int], ...]
    dumps: tuple[bytes, ...]
    issues: tuple[tuple[int, int], ...] | None
    seconds: float


def run_batch(binary: Path, jobs: Sequence[Job]) -> list[RtlResult]:
    """Run all jobs in one process of the simulator, in order.

    Raises RtlError when the simulator cannot run one of them.
    """
    with tempfile.TemporaryDirectory(prefix="cocrypt-rtl-") as folder:
        programs = _write_images(jobs, Path(folder))
        manifest = "".join(
            _line(job, programs, _trace(Path(folder), i)) for i, job in enumerate(jobs)
        )
        process = subprocess.run(
            [str(binary)], input=manifest, capture_output=True, text=True, check=False
        )
        lines = process.stdout.splitlines()
        if len(lines) != len(jobs):
            raise RtlError(f"the simulator broke off after {len(lines)} programs: {process.stderr}")
        pairs = zip(jobs, lines, strict=True)
        return [_result(job, line, _trace(Path(folder), i)) for i, (job, line) in enumerate(pairs)]


def _write_images(jobs: Sequence[Job], folder: Path) -> dict[bytes, Path]:
    """Write one file for each different image and input."""
    files: dict[bytes, Path] = {}
    for content in (part for job in jobs for part in (job.image, job.console_input)):
        if content not in files:
            files[content] = folder / f"{len(files)}.bin"
            files[content].write_bytes(content)
    return files


def _trace(folder: Path, index: int) -> Path:
    return folder / f"{index}.trace"


def _line(job: Job, files: dict[bytes, Path], trace: Path) -> str:
    fields = {
        "program": files[job.image],
        "configuration": job.configuration.identifier,
        "fetch_wait": job.waits.fetch,
        "data_wait": job.waits.data,
        "bus_wait": job.waits.bus,
        "max_cycles": job.max_cycles,
    }
    parts = [f"{key}={value}" for key, value in fields.items()]
    parts += [f"dump={address}:{size}" for address, size in job.dumps]
    if job.console_input:
        parts.append(f"input={files[job.console_input]}")
    if job.trace:
        parts.append(f"trace={trace}")
    return "\t".join(parts) + "\n"


def _result(job: Job, line: str, trace: Path) -> RtlResult:
    values: dict[str, Any] = json.loads(line)
    if "error" in values:
        raise RtlError(f"the simulator refuses a program: {values['error']}")
    issues = None
    if job.trace:
        issues = tuple((cycle, pc) for cycle, pc in ISSUED.iter_unpack(trace.read_bytes()))
    return RtlResult(
        stop=values["stop"],
        exit_code=values["exit_code"] if values["stop"] == "exit" else None,
        address=values["address"] if values["stop"] == "fault" else None,
        pc=values["pc"],
        cycles=values["cycles"],
        instructions=values["instructions"],
        registers=tuple(values["registers"]),
        console=bytes.fromhex(values["console"]),
        marks=tuple((cycle, value) for cycle, value in values["marks"]),
        dumps=tuple(bytes.fromhex(dump) for dump in values["dumps"]),
        issues=issues,
        seconds=values["seconds"],
    )
