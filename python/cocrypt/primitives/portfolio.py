"""The fastest implementations that fit into budgets of memory, for each primitive.

The questions, and the words for their answers, are those of Matsui and Murakami (FSE 2013): in a
category of ROM and RAM an implementation *fits*; a category is *satiated* where more memory
brings nothing over a smaller category; and *impossible* where no implementation fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import is_verified, read_vectors, verify
from cocrypt.primitives.running import run_fitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cocrypt.device import Device
    from cocrypt.primitives.calling import Calling
    from cocrypt.primitives.measuring import Build, Task
    from cocrypt.primitives.running import Unfit
    from cocrypt.primitives.script import Check, Timing
    from cocrypt.primitives.subject import Subject

Verdict = Literal["fits", "satiated", "impossible"]
ROM_BUDGETS = (512, 1024, 2048)
RAM_BUDGETS = (64, 128, 256, 512)
BUDGETS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "key_exchange": ((2048, 4096, 8192), (512, 1024, 2048, 4096)),
    "signature": ((4096, 8192, 16384), (1024, 2048, 4096, 8192)),
    "ecdsa": ((4096, 8192, 16384), (1024, 2048, 4096, 8192)),
    "rsa": ((2048, 4096, 8192), (1024, 2048, 4096, 8192)),
    "kem": ((8192, 16384, 32768), (4096, 8192, 16384, 32768)),
    "signing": ((8192, 16384, 32768), (8192, 16384, 32768, 65536)),
}
"""Budgets of ROM and RAM of the kinds that compute with large numbers, polynomials or hash trees;
those of the others are `ROM_BUDGETS` and `RAM_BUDGETS`."""
LENGTH = 64
"""Bytes of the message where a primitive has no block whose cycles could be given."""


@dataclass(frozen=True)
class Job:
    """A use of a primitive: the operations that it needs, and the one whose cycles count."""

    name: str
    operations: tuple[str, ...]
    judged: str


# By kind; a subject has no job for which it lacks an operation.
JOBS: Mapping[str, tuple[Job, ...]] = {
    "block_cipher": (
        Job("encrypt", ("expand", "encrypt"), "encrypt"),
        Job("encrypt and decrypt", ("expand", "encrypt", "decrypt"), "encrypt"),
    ),
    "stream_cipher": (Job("encrypt", ("init", "crypt"), "crypt"),),
    "mode": (
        Job("encrypt", ("expand", "encrypt"), "encrypt"),
        Job("encrypt and decrypt", ("expand", "encrypt", "decrypt"), "encrypt"),
    ),
    "hash": (Job("hash", ("init", "update", "final"), "block"), Job("hash", ("hash",), "hash")),
    "mac": (Job("authenticate", ("init", "update", "final"), "block"),),
    "aead": (Job("seal", ("seal",), "seal"), Job("seal and open", ("seal", "open"), "seal")),
    "key_exchange": (Job("agree", ("public", "shared"), "shared"),),
    "signature": (
        Job("verify", ("verify",), "verify"),
        Job("sign and verify", ("public", "sign", "verify"), "sign"),
    ),
    "ecdsa": (
        Job("verify", ("verify",), "verify"),
        Job("sign and verify", ("public", "sign", "verify"), "sign"),
        Job("sign without random numbers", ("sign_deterministic",), "sign_deterministic"),
        Job("agree", ("public", "shared"), "shared"),
    ),
    "rsa": (
        Job("public", ("public",), "public"),
        Job("private", ("private",), "private"),
        Job("private, from the primes", ("private_crt",), "private_crt"),
    ),
    "rsa_toy": (Job("encrypt", ("encrypt",), "encrypt"),),
    "kem": (Job("agree", ("keypair", "encapsulate", "decapsulate"), "decapsulate"),),
    "signing": (Job("sign and verify", ("keypair", "sign", "verify"), "sign"),),
}


@dataclass(frozen=True)
class Point:
    """One implementation, compiled in one way, as it does one job.

    `rom` and `ram` are bytes, the latter with context, parameters and stack; `size` is how many
    bytes the cycles are for, where there is such a figure. `verified` says whether vectors of the
    operation whose cycles count came out right, None where there are none.
    """

    subject: Subject
    build: Build
    job: str
    cycles: int
    rom: int
    ram: int
    size: int | None
    verified: bool | None = None

    @property
    def per_byte(self) -> float | None:
        """Cycles for a byte."""
        return self.cycles / self.size if self.size else None

    def fits(self, rom: int, ram: int) -> bool:
        """Returns true if it keeps within these budgets."""
        return self.rom <= rom and self.ram <= ram


@dataclass(frozen=True)
class Entry:
    """A primitive's answer in one category; no point where it is impossible."""

    primitive: str
    job: str
    rom_budget: int
    ram_budget: int
    verdict: Verdict
    point: Point | None


@dataclass(frozen=True)
class Choice:
    """All measured points of a primitive for one job."""

    primitive: str
    title: str
    kind: str
    job: str
    points: tuple[Point, ...]

    @property
    def smallest(self) -> Point:
        """The point with least ROM; of equals the one with less RAM."""
        return min(self.points, key=lambda point: (point.rom, point.ram, point.cycles))

    @property
    def leanest(self) -> Point:
        """The point with least RAM."""
        return min(self.points, key=lambda point: (point.ram, point.rom, point.cycles))

    @property
    def fastest(self) -> Point:
        """The point with fewest cycles; of equals the smaller."""
        return min(self.points, key=lambda point: (point.cycles, point.rom, point.ram))

    def within(self, rom: int, ram: int) -> Point | None:
        """The fastest point that fits."""
        fitting = [point for point in self.points if point.fits(rom, ram)]
        return min(fitting, key=lambda point: (point.cycles, point.rom, point.ram), default=None)


@dataclass(frozen=True)
class Portfolio:
    """The answers of all primitives on one device; `unfit` are not even in its memory.

    A budget of None stands for those of each primitive's kind.
    """

    device: Device
    given_roms: tuple[int, ...] | None
    given_rams: tuple[int, ...] | None
    choices: tuple[Choice, ...]
    unfit: tuple[Unfit, ...] = ()

    def roms(self, kind: str) -> tuple[int, ...]:
        """The budgets of ROM for a kind of primitive, in bytes, the least first."""
        return self.given_roms or BUDGETS.get(kind, (ROM_BUDGETS, RAM_BUDGETS))[0]

    def rams(self, kind: str) -> tuple[int, ...]:
        """The budgets of RAM, in the same way."""
        return self.given_rams or BUDGETS.get(kind, (ROM_BUDGETS, RAM_BUDGETS))[1]

    @property
    def entries(self) -> list[Entry]:
        """Every primitive in every category."""
        return [
            self.entry(choice, rom, ram)
            for choice in self.choices
            for rom in self.roms(choice.kind)
            for ram in self.rams(choice.kind)
        ]

    def entry(self, choice: Choice, rom: int, ram: int) -> Entry:
        """A primitive in one category."""
        point = choice.within(rom, ram)
        verdict: Verdict = "fits"
        if point is None:
            verdict = "impossible"
        elif self._is_as_fast(choice, point, self._smaller(choice.kind, rom, ram)):
            verdict = "satiated"
        return Entry(choice.primitive, choice.job, rom, ram, verdict, point)

    def _smaller(self, kind: str, rom: int, ram: int) -> Iterable[tuple[int, int]]:
        """The categories with no more of either memory, and with less of at least one."""
        return (
            (smaller_rom, smaller_ram)
            for smaller_rom in self.roms(kind)
            for smaller_ram in self.rams(kind)
            if smaller_rom <= rom
            and smaller_ram <= ram
            and (smaller_rom, smaller_ram) != (rom, ram)
        )

    @staticmethod
    def _is_as_fast(choice: Choice, point: Point, categories: Iterable[tuple[int, int]]) -> bool:
        """Returns true if one of the categories has a point that is as fast."""
        candidates = (choice.within(rom, ram) for rom, ram in categories)
        return any(other is not None and other.cycles == point.cycles for other in candidates)

    def best(self, kind: str, job: str, rom: int, ram: int) -> Point | None:
        """The fastest primitive for a job in a category, by cycles for a byte."""
        choices = [choice for choice in self.choices if (choice.kind, choice.job) == (kind, job)]
        fitting = [point for choice in choices if (point := choice.within(rom, ram)) is not None]
        return min(
            fitting, key=lambda point: (point.per_byte or point.cycles, point.rom), default=None
        )


def portfolio(
    device: Device,
    tasks: Sequence[Task],
    budgets: tuple[Sequence[int] | None, Sequence[int] | None] = (None, None),
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    further: Sequence[Point] = (),
) -> Portfolio:
    """Measures all tasks for their kind's jobs, and sorts them into the categories of budgets.

    Budgets of ROM and RAM that are None are those of each kind. `further` points were measured
    otherwise.

    Raises the error of the first task that fails, or does not fit if none does and nothing was
    measured otherwise.
    """
    measured, unfit = run_fitting(tasks, points, jobs, step, accepts_none=bool(further))
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in (*further, *(point for row in measured for point in row)):
        groups.setdefault((point.subject.primitive, point.job), []).append(point)
    choices = tuple(
        Choice(primitive, group[0].subject.title, group[0].subject.kind, job, tuple(group))
        for (primitive, job), group in groups.items()
    )
    roms, rams = (None if budget is None else tuple(sorted(budget)) for budget in budgets)
    return Portfolio(device, roms, rams, choices, tuple(unfit))


def points(task: Task) -> list[Point]:
    """A subject's points, one for each job that it can do."""
    subject = task.subject
    vectors = read_vectors(subject)
    calling = task.calling()
    checked = verify(calling, vectors)
    plan = kind(subject).timings(subject, vectors, (LENGTH,), calling.context_size)
    return [
        _point(task, job, (plan, checked), calling)
        for job in JOBS.get(subject.kind, ())
        if all(name in subject.functions for name in job.operations)
        and any(timing.operation == job.judged for timing in plan)
    ]


def _point(
    task: Task, job: Job, planned: tuple[Sequence[Timing], Sequence[Check]], calling: Calling
) -> Point:
    subject, (plan, checked) = task.subject, planned
    operations = set(job.operations) | {job.judged}
    if "decrypt" in operations and "expand_decrypt" in subject.functions:
        operations.add("expand_decrypt")
    whole_messages = {"block", "hash", "mac"} if subject.kind in ("hash", "mac") else set()
    timings = [timing for timing in plan if timing.operation in operations | whole_messages]
    judged = next(timing for timing in timings if timing.operation == job.judged)
    costs = {timing: calling.total(timing) for timing in timings}
    needed = dict.fromkeys(need for timing in timings for need in timing.needs)
    size = task.images.footprint([*needed])
    stack = max(cost.stack for cost in costs.values())
    ram = size.ram + calling.context_size + max(timing.parameters for timing in timings) + stack
    cycles = costs[judged].cycles
    length = judged.length
    if subject.kind == "block_cipher":
        length = subject.sizes["block"]
    verified = is_verified(judged, checked)
    return Point(subject, task.build, job.name, cycles, size.rom, ram, length, verified)


def record(result: Portfolio) -> dict[str, Any]:
    """The output of `portfolio --json`; sizes in bytes."""
    rows = [
        {
            "primitive": entry.primitive,
            "job": entry.job,
            "rom_budget": entry.rom_budget,
            "ram_budget": entry.ram_budget,
            "verdict": entry.verdict,
            **_described(entry.point),
        }
        for entry in result.entries
    ]
    ends = [
        {
            "primitive": choice.primitive,
            "job": choice.job,
            **{
                name: _described(point)
                for name, point in (
                    ("smallest", choice.smallest),
                    ("leanest", choice.leanest),
                    ("fastest", choice.fastest),
                )
            },
        }
        for choice in result.choices
    ]
    unfit = [task.record() for task in result.unfit]
    return {"device": result.device.name, "rows": rows, "ends": ends, "unfit": unfit}


def _described(point: Point | None) -> dict[str, Any]:
    """A point's figures; nulls where there is none."""
    if point is None:
        names = ("implementation", "flags", "cycles", "cycles_per_byte", "rom", "ram")
        return dict.fromkeys((*names, "constant_time", "verified"))
    return {
        "implementation": point.subject.implementation,
        "flags": point.build.name,
        "cycles": point.cycles,
        "cycles_per_byte": point.per_byte,
        "rom": point.rom,
        "ram": point.ram,
        "constant_time": point.subject.constant_time,
        "verified": point.verified,
    }
