"""The costs of primitives on devices, behind checked vectors: cycles, memory and energy."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.errors import DoesNotFitError, InputError, ProgramError
from cocrypt.measurement import engine
from cocrypt.primitives import answers
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import Images
from cocrypt.primitives.kinds import TABLES, kind
from cocrypt.primitives.running import Unfit, run_fitting
from cocrypt.primitives.script import failures
from cocrypt.primitives.vectors import read_toml
from cocrypt.sdcc import compiling
from cocrypt.sdcc.calls import StaticCalling
from cocrypt.sdcc.images import SdccImages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.primitives.images import Footprint
    from cocrypt.primitives.script import Check, Timing
    from cocrypt.primitives.subject import Subject
    from cocrypt.primitives.vectors import Vector

LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
"""Message lengths in bytes."""
CHECKED = "whole answers, guarded"
"""The meaning of checked; results of weaker checks have another key and are not used."""
FAULTS = 3
"""The most mistakes of a primitive that one message names."""


@dataclass(frozen=True)
class Build:
    """Compiler and options that a subject is built with.

    A compiler of None is that of the device's file, or else zig.
    """

    flags: tuple[str, ...] = ("-O2",)
    compiler: str | None = None

    @property
    def name(self) -> str:
        """The name in a table."""
        flags = " ".join(self.flags)
        return flags if self.compiler in (None, "zig") else f"{self.compiler} {flags}"


ASSEMBLED = Build(("assembly",))
"""The build of a subroutine in assembly, which no compiler makes."""


@dataclass(frozen=True)
class Row:
    """The cost of one operation; sizes in bytes, energy in joules, None where unknown.

    `rom` is code, constants and what they pull in; `ram` the static data, the context and the
    caller's parameters; `stack` is the most that the call takes, and `stack_bound` the most that
    any call can take, found without a run. `verified` is true if vectors of the operation came out
    right, None where there are none; `vectors` is how many the primitive has.
    """

    subject: Subject
    device: Device
    build: Build
    operation: str
    length: int | None
    cycles: int
    instructions: int | None
    rom: int
    ram: int
    stack: int
    stack_bound: int | None
    verified: bool | None
    vectors: int

    def __repr__(self) -> str:
        length = "" if self.length is None else f" of {self.length:,} bytes"
        subject = f"{self.subject.name} {self.operation}{length}"
        return f"<Row {subject} on {self.on}, {self.build.name}: {self.cycles:,} cycles>"

    @property
    def on(self) -> str:
        """The device, with the settings that were changed."""
        changed = ", ".join(f"{name}={value}" for name, value in self.device.settings.items())
        return f"{self.device.name} ({changed})" if changed else self.device.name

    @property
    def energy(self) -> float | None:
        """Joules; None where the device's power is not known."""
        return self.device.energy(self.cycles)

    @property
    def per_byte(self) -> float | None:
        """Cycles for each byte of the message, or of the block."""
        size = self.length or (
            self.subject.sizes.get("block") if self.operation in ("encrypt", "decrypt") else None
        )
        return self.cycles / size if size else None


@dataclass(frozen=True)
class Task:
    """A subject to be measured on a device."""

    subject: Subject
    device: Device
    build: Build
    lengths: tuple[int, ...] = LENGTHS

    @property
    def images(self) -> Images:
        """The images of the subject."""
        kind_of = SdccImages if compiling.compiles(self.device) else Images
        return kind_of(self.device, self.subject, self.build.flags, self.build.compiler)

    def calling(self) -> Calling:
        """The subject's image on the device, whose functions can be called."""
        images = self.images
        if isinstance(images, SdccImages):
            return StaticCalling(images)
        return Calling(self.device, self.subject, images.callable())

    def measure(self) -> list[Row]:
        """The rows of `measured` alone."""
        return self.measured()[0]

    def measured(self) -> tuple[list[Row], list[Unfit]]:
        """Checks the vectors, and then measures each operation with the messages that fit.

        The device has not the memory for the lengths of messages that come second. Raises
        `ProgramError` if a vector does not come out, or a function does not return, and
        `DoesNotFitError` if there is an operation for which no message fits.
        """
        images, vectors = self.images, read_vectors(self.subject)
        calling = self.calling()
        checked = verify(calling, vectors)
        plan = kind(self.subject).timings(self.subject, vectors, self.lengths, calling.context_size)
        sizes = {needs: images.footprint(needs) for needs in {timing.needs for timing in plan}}
        rows: list[Row] = []
        refused: list[tuple[Timing, DoesNotFitError]] = []
        for timing in plan:
            try:
                rows.append(self._row(timing, calling, sizes[timing.needs], checked))
            except DoesNotFitError as error:
                refused.append((timing, error))
        done = {row.operation for row in rows}
        for timing, refusal in refused:
            if timing.operation not in done:
                raise refusal
        return rows, self._unfit(timing for timing, _ in refused)

    def _unfit(self, too_long: Iterable[Timing]) -> list[Unfit]:
        """The lengths of messages that the device has not the memory for, in one entry."""
        lengths = sorted({timing.length for timing in too_long if timing.length is not None})
        if not lengths:
            return []
        named = ", ".join(f"{length:,}" for length in lengths)
        error = DoesNotFitError(
            f"{self.subject.name} needs more memory than {self.device.name} has",
            reason=f"ram is too small for messages of {named} bytes",
        )
        return [Unfit(self, error)]

    def _row(
        self, timing: Timing, calling: Calling, size: Footprint, checked: Sequence[Check]
    ) -> Row:
        cost = calling.total(timing)
        return Row(
            subject=self.subject,
            device=self.device,
            build=self.build,
            operation=timing.operation,
            length=timing.length,
            cycles=cost.cycles,
            instructions=cost.instructions,
            rom=size.rom,
            ram=size.ram + calling.context_size + timing.parameters,
            stack=cost.stack,
            stack_bound=calling.stack_bound(
                [timing.steps[index].operation for index in timing.counted]
            ),
            verified=is_verified(timing, checked),
            vectors=sum(check.known for check in checked),
        )


def is_verified(timing: Timing, checks: Sequence[Check]) -> bool | None:
    """Returns true if a vector checks the operations that are timed; None if there is none."""
    timed = {timing.steps[index].operation for index in timing.counted}
    return True if any(check.known and timed <= check.operations for check in checks) else None


def verify(calling: Calling, vectors: Mapping[str, Any]) -> list[Check]:
    """Runs the checks that fit the device's memory, unless they are known to come out.

    Checks are cached by content: simulator, image, device, functions and vectors.
    Raises `ProgramError` with the first that fail, or `DoesNotFitError` where the compiler is to
    blame, since the code is right elsewhere, and `InputError` where no vector can be checked.
    """
    subject = calling.subject
    all_checks = kind(subject).checks(subject, vectors, calling.context_size)
    checks = [check for check in all_checks if calling.fits(check)]
    _require_some(calling, vectors, (all_checks, checks))
    calling.require_results(checks)
    words = [engine(), calling.image_hash, calling.device.hash, json.dumps(vectors, sort_keys=True)]
    words += [CHECKED, subject.kind, repr(sorted(subject.sizes.items()))]
    words += [f"{name}: {function}" for name, function in subject.functions.items()]
    if paths.is_known("verified", words):
        return checks
    mistakes = failures(checks, calling.check(checks))
    if mistakes:
        if calling.blames_compiler:
            raise DoesNotFitError(
                f"{subject.name} is wrong on {calling.device.name}: {mistakes[0]}",
                "take another implementation, or other options",
                "as it is compiled there, its vectors do not come out",
            )
        more = f" (and {len(mistakes) - FAULTS} more)" if len(mistakes) > FAULTS else ""
        raise ProgramError(
            f"{subject.name} is wrong on {calling.device.name}: "
            f"{'; '.join(mistakes[:FAULTS])}{more}",
            "no figure of it is printed until its vectors come out",
        )
    paths.make_known("verified", words)
    return checks


def _require_some(
    calling: Calling, vectors: Mapping[str, Any], all_and_fitting: tuple[list[Check], list[Check]]
) -> None:
    """Raises an error if there are vectors, but no check of them that fits the memory."""
    subject, (all_checks, checks) = calling.subject, all_and_fitting
    if any(vectors.values()) and not any(check.known for check in all_checks):
        raise InputError(
            f"{subject.name}: nothing can be checked with any of its vectors, which are in "
            f"{', '.join(map(str, subject.vectors))}",
            "give vectors of the operations that it provides, with all that these take",
        )
    if any(check.known for check in all_checks) and not any(check.known for check in checks):
        raise DoesNotFitError(
            f"{subject.name} has no vector that fits the memory of {calling.device.name}",
            "take a device with more RAM",
            "no vector fits its RAM",
        )


def read_vectors(subject: Subject) -> dict[str, list[Vector]]:
    """The vectors of a subject, by table.

    Raises `InputError` for tables that its kind does not have, since they would not be checked.
    """
    vectors: dict[str, list[Vector]] = {}
    for path in subject.vectors:
        is_ours = path.suffix == ".toml"
        tables = read_toml(path) if is_ours else answers.read(path, subject.kind)
        for name, rows in tables.items():
            if name not in TABLES.get(subject.kind, ()):
                place = rows[0].place() if rows else path
                raise InputError(
                    f"{place}: there are no vectors of `{name}` for a primitive of kind "
                    f"`{subject.kind}`",
                    f"known: {', '.join(sorted(TABLES[subject.kind]))}",
                )
            vectors.setdefault(name, []).extend(rows)
    return vectors


def tasks(
    subjects: Sequence[Subject],
    devices: Sequence[Device],
    builds: Sequence[Build],
    lengths: Sequence[int] = LENGTHS,
    *,
    extends: bool = False,
) -> list[Task]:
    """A task for every subject, every device that can run it, and every build.

    With `extends`, a core is configured to have the extensions that a subject needs, if it can.
    """
    return [
        Task(subject, device.extended(subject.extensions), build, tuple(lengths))
        for subject in subjects
        for device in devices
        for build in builds
        if set(subject.extensions) <= set(device.extensions)
        or (extends and device.can_have(subject.extensions))
    ]


def measure(
    wanted: Sequence[Task],
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    *,
    accepts_none: bool = False,
) -> tuple[list[Row], list[Unfit]]:
    """The rows of all tasks in their order, and what does not fit the devices: tasks, or lengths.

    Raises the error of the first task that fails, or does not fit if none does, unless no row is
    accepted.
    """
    measured, unfit = run_fitting(wanted, Task.measured, jobs, step, accepts_none=accepts_none)
    too_long = [entry for _, entries in measured for entry in entries]
    return [row for rows, _ in measured for row in rows], [*unfit, *too_long]


def hash_of(subject: Subject) -> str:
    """A hash of the parts of a subject: sources, options and vectors."""
    state = hashlib.sha256()
    for path in (*subject.sources, *subject.vectors, *_headers(subject)):
        state.update(path.name.encode())
        state.update(path.read_bytes())
    state.update("\0".join((*subject.flags, *subject.extensions)).encode())
    return state.hexdigest()[:32]


def _headers(subject: Subject) -> list[Path]:
    return [path for folder in subject.include for path in sorted(folder.glob("*.h"))]
