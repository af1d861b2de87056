"""One simulation as a value: its inputs, its outcome, and the key of the outcome.

A job holds everything that its outcome depends on, so that it can run in another thread, in another
process, on another machine, or not at all where its outcome is already known.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from cocrypt import _native, measurement, rtl
from cocrypt._native import DiagnosticError
from cocrypt.device import Device
from cocrypt.energy import classes
from cocrypt.errors import CocryptError, InputError
from cocrypt.java import frames
from cocrypt.machine import Machine
from cocrypt.measurement import MAX_CYCLES, engine

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.builder import Built

FORMAT = 2
"""The format of outcomes; it changes with their content, so that old ones are not used."""
Outcome = dict[str, Any]
"""The outcome of a simulation, fit for JSON; it has `error` if the simulation failed."""


@dataclass(frozen=True)
class Job:
    """A run of an image on a device.

    `settings` override those of the device's file; `output` is a global with its size in
    bytes, None for all of an array in Java.
    With `contexts` the outcome has the call tree and the instructions by class, with `toggles` the
    number of bits of the coprocessors' registers that changed.
    """

    device: Path
    settings: tuple[tuple[str, int], ...]
    image: bytes
    name: str
    coprocessors: tuple[Path, ...]
    output: tuple[str, int | None]
    console_input: bytes = b""
    max_cycles: int = MAX_CYCLES
    contexts: bool = False
    toggles: bool = False

    @classmethod
    def of(
        cls, device: Device, built: Built, max_cycles: int = MAX_CYCLES, contexts: bool = False
    ) -> Job:
        """A run of a built program; the device decides whether classes and toggles are counted."""
        power = device.power
        return cls(
            device=device.path,
            settings=tuple(sorted(device.settings.items())),
            image=built.image,
            name=built.name,
            coprocessors=built.coprocessors,
            output=(built.workload.output, _size(built)),
            console_input=built.workload.input,
            max_cycles=max_cycles,
            contexts=contexts or bool(power.classes),
            toggles=power.toggling is not None,
        )

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on, so not of the limit of cycles."""
        options = (FORMAT, self.output, self.console_input, self.contexts, self.toggles)
        words: list[str | bytes] = [engine(), _device(self.device, self.settings), self.image]
        words += [repr(options), *map(_hardware, self.coprocessors)]
        hashed = hashlib.sha256()
        for word in words:
            content = word.encode() if isinstance(word, str) else word
            hashed.update(f"{len(content)} ".encode() + content)
        return hashed.hexdigest()


def _size(built: Built) -> int | None:
    """Bytes of the output: as many as are expected, or all; None where the run decides."""
    workload = built.workload
    if workload.size is not None:
        return workload.size
    if workload.main is not None:
        return None
    info = _native.image_info(built.image, built.name)
    return measurement.locate(info, built.name, workload.output)[1]


def simulate(job: Job) -> Outcome:
    """Runs a job; errors are part of the outcome, so that they can travel."""
    try:
        return _simulate(job)
    except CocryptError as error:
        return {"error": str(error), "help": error.help, "kind": type(error).__name__}
    except DiagnosticError as error:
        return {"error": error.rendered, "help": None, "kind": "InputError"}


def _simulate(job: Job) -> Outcome:
    device = Device.load(job.device).having(**dict(job.settings))
    machine = Machine(
        device,
        job.image,
        name=job.name,
        coprocessors=job.coprocessors,
        contexts=job.contexts,
        toggles=job.toggles,
    )
    machine.native.type_in(job.console_input)
    if job.contexts and frames.is_java(machine):
        # Where the interpreter cannot be followed, the profile has its functions.
        with suppress(InputError):
            frames.follow(machine)
    run = machine.run(job.max_cycles)
    measurement.require_clean(run)
    values = {key: value for key, value in run.values.items() if key not in ("console", "marks")}
    outcome: Outcome = {**values, "output": run.output(*job.output).hex()}
    if job.contexts:
        profile = machine.profile().values
        outcome["tree"], outcome["tree_functions"] = profile["tree"], profile["functions"]
        outcome["classes"] = classes(profile["instructions"])
    return outcome


@cache
def _device(path: Path, settings: tuple[tuple[str, int], ...]) -> str:
    """The content of a device's files, without their paths."""
    return Device.load(path).having(**dict(settings)).described


@cache
def _hardware(register_map: Path) -> str:
    """A coprocessor's registers and its Verilog, which has all of its design."""
    verilog, top = rtl.coprocessor_verilog(register_map)
    neighbours = (
        sorted(verilog.parent.glob("*.[sv]*")) if verilog.parent == register_map.parent else []
    )
    files = [register_map, verilog, *(path for path in neighbours if path.is_file())]
    return "\n".join([top, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)])
