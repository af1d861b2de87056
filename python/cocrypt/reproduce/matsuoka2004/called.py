"""AES from Java: figures 6 and 13 on the paper's SH3-DSP, on an SA-1110 and on a RISC-V core.

The application of studies/java-aes.toml encrypts a block under a key twice. Figures are those of
the second call, when classes are initialised and code is in the caches. Only GCC compiles for the
SH3-DSP, which few hosts have; so studies/java-aes/superh/ has its images as the compiler of
`cocrypt toolchain sh-elf` made them. Those with Bouncy Castle's classes need the compiler.
"""

from __future__ import annotations

import lzma
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.crosstools import kept
from cocrypt.device import Device
from cocrypt.errors import HostError
from cocrypt.java.maven import obtain
from cocrypt.machine import Machine
from cocrypt.measurement import require_clean
from cocrypt.partition import named
from cocrypt.reproduce.matsuoka2004.engine import exchanged
from cocrypt.reproduce.matsuoka2004.java.measured import BOUNCY_CASTLE
from cocrypt.reproduce.paper import Finding, Shown, unheard
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from cocrypt.partition import Partition
    from cocrypt.reproduce.paper import Step
    from cocrypt.target import Order

DEVICES = ("sh7729", "sa1110", "picorv32")
RECORDED = "sh7729"
"""The device whose images are recorded."""
CYCLES = "Application.cycles"
LIMIT = 1_000_000_000
"""Cycles until a native method must have been called."""


@dataclass(frozen=True)
class Implementation:
    """How the cipher is provided: its partition, its name in the paper, its function in C.

    One by KNI has the cipher of another, `direct`, and no function that has nothing else. One with
    `is_library` is of the application whose cipher is Bouncy Castle's engine.
    """

    name: str
    partition: str
    published: str | None
    function: str | None = None
    direct: str | None = None
    is_library: bool = False


IMPLEMENTATIONS = (
    Implementation("Java", "software", "java"),
    Implementation("Java, compiled ahead of time", "Aes.encrypt=aot", None),
    Implementation("Java, Bouncy Castle", "software", "java", is_library=True),
    Implementation("Java, Bouncy Castle, compiled ahead of time", "Aes.encrypt=aot", None,
        is_library=True),
    Implementation("C", "Aes.encrypt=native", "c", "Java_Aes_encrypt"),
    Implementation("coprocessor", "Aes.encrypt=coprocessor", "coprocessor", "Java_Aes_encrypt"),
    Implementation("key in the coprocessor", "Vault.encrypt=sealed", "key_in_coprocessor",
        "Java_Vault_encrypt"),
    Implementation("C, by KNI", "Aes.encrypt=native-kni", "c", direct="C"),
    Implementation("coprocessor, by KNI", "Aes.encrypt=coprocessor-kni", "coprocessor",
        direct="coprocessor"),
    Implementation("key in the coprocessor, by KNI", "Vault.encrypt=sealed-kni",
        "key_in_coprocessor", direct="key in the coprocessor"),
)  # fmt: skip


@dataclass(frozen=True)
class Call:
    """Cycles of a call from Java to an implementation; `cipher` are those beyond Java, or None."""

    device: str
    way: str
    total: int
    cipher: int | None
    verified: bool

    @property
    def interface(self) -> int | None:
        """Cycles that the call spends in Java and between Java and C."""
        return None if self.cipher is None else self.total - self.cipher


@dataclass(frozen=True)
class Reproduction:
    """The calls on all devices, in the order of `IMPLEMENTATIONS`."""

    published: Mapping[str, Any]
    calls: tuple[Call, ...]

    def call(self, device: str, implementation: str) -> Call:
        """The call of one implementation on a device."""
        return next(each for each in self._of(implementation) if each.device == device)

    def _of(self, implementation: str) -> Iterator[Call]:
        """The calls of one implementation, on the devices for which it can be compiled."""
        return (each for each in self.calls if each.way == implementation)

    @property
    def tables(self) -> tuple[Shown, ...]:
        """Figures 6 and 13 as a table."""
        heads = ("from Java", "device", "cycles, paper", "cycles, ours", "interface, paper",
                 "interface, ours", "times as fast as Java")  # fmt: skip
        rows = tuple(
            row for implementation in IMPLEMENTATIONS for row in self._rows(implementation)
        )
        title = "Figures 6 and 13: a key and a block of AES-128, called from Java"
        return (Shown(title, heads, rows, self._sentence(), texts=2),)

    def _rows(self, implementation: Implementation) -> Iterator[tuple[str, ...]]:
        paper = self.published["aes_cycles"].get(implementation.published, {})
        for call in self._of(implementation.name):
            java = self.call(call.device, IMPLEMENTATIONS[0].name)
            yield (
                implementation.name,
                call.device,
                _figure(paper.get("total")),
                _figure(call.total),
                _figure(paper.get("interface")),
                _figure(call.interface),
                f"{java.total / call.total:,.1f}",
            )

    def _sentence(self) -> str:
        return (
            "The second call of an application whose class files are the same bytes in every row. "
            "The paper's processor is an SH3-DSP, as in sh7729, and its cipher in Java is Bouncy "
            "Castle's, which some rows have in release 1.24 if it can be fetched, those of sh7729 "
            "only with sh-elf-gcc; ours works byte by byte. Interface is all but the "
            "cipher itself: the interpreted caller, and the way from Java to C. With the key in "
            "the coprocessor Java passes the number of a key, and no key. In the rows by KNI, the "
            "interface of the paper's machine, C asks for its arguments and copies arrays, and all "
            "that takes longer so is interface. In the others arrays stay where they are."
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions about partitions of the cipher."""
        claims = (self._gain(), self._dominated(), self._sealed())
        return (*claims, self._cheaper())

    def _gain(self) -> Finding:
        in_java = [each for each in self.calls if each.way in ("Java", "Java, Bouncy Castle")]
        gains = [each.total / self.call(each.device, "coprocessor").total for each in in_java]
        why = f"{min(gains):,.0f} to {max(gains):,.0f} times; the paper has 10.4"
        claim = "A coprocessor makes AES from Java ten times as fast, or more"
        return Finding("figure 6", claim, min(gains) >= 10, why)

    def _dominated(self) -> Finding:
        shares = [
            (each.interface or 0) / each.total for each in self.calls if each.way == "coprocessor"
        ]
        why = f"{min(shares):.0%} to {max(shares):.0%} of the cycles; the paper has 99 %"
        claim = "With the coprocessor most of the time is the interface"
        return Finding("figure 6", claim, min(shares) > 0.5, why)

    def _sealed(self) -> Finding:
        ratios = [
            self.call(device, "coprocessor").total
            / self.call(device, "key in the coprocessor").total
            for device in DEVICES
        ]
        why = f"{min(ratios):.1f} to {max(ratios):.1f} times; the paper has 2.4"
        claim = "A key that stays in the coprocessor makes the call faster, too"
        return Finding("figure 13", claim, min(ratios) > 1, why)

    def _cheaper(self) -> Finding:
        costs = self._interfaces("C")
        paper = self.published["aes_cycles"]["c"]["interface"]
        by_kni = self._interfaces("C, by KNI")
        why = (
            f"{_listed(costs)} cycles, and {_listed(by_kni)} by KNI; the paper has {paper:,} by KNI"
        )
        claim = "The interface from Java to C costs thousands of cycles"
        return Finding("figure 6", claim, min(costs) >= 1000, why)

    def _interfaces(self, way: str) -> list[int]:
        """The cycles of the interface on each device."""
        return [each.interface or 0 for each in self._of(way)]

    @property
    def wrong(self) -> tuple[str, ...]:
        """Calls whose result is not that of FIPS 197."""
        return tuple(
            f"AES, {each.way}, on {each.device}" for each in self.calls if not each.verified
        )

    def record(self) -> dict[str, Any]:
        """The part of the output of `--json`."""
        calls = [{**asdict(each), "interface": each.interface} for each in self.calls]
        return {"paper": dict(self.published["aes_cycles"]), "calls": calls}


def _listed(cycles: list[int]) -> str:
    *first, last = (f"{each:,}" for each in cycles)
    return f"{', '.join(first)} and {last}"


def _figure(cycles: int | None) -> str:
    return "-" if cycles is None else f"{cycles:,}"


@dataclass(frozen=True)
class Program:
    """An image of the application, with the coprocessors that it uses."""

    name: str
    image: bytes
    coprocessors: tuple[Path, ...]


def reproduce(published: Mapping[str, Any], step: Step = unheard) -> Reproduction:
    """Runs each implementation on all devices; raises what building and running programs raise."""
    study = Study.load("java-aes")
    studies = {False: study}
    with suppress(HostError):
        studies[True] = exchanged(study, obtain(BOUNCY_CASTLE))
    calls: list[Call] = []
    for number, name in enumerate(DEVICES):
        step(f"encrypting from Java on {name}", number, len(DEVICES))
        device = Device.load(paths.device(name))
        for is_library, each in studies.items():
            if (
                is_library
                and kept.which(device.target.instructions.gcc) is None
                and name == RECORDED
            ):
                continue
            calls += _calls(each.on(device), is_library=is_library)
    return Reproduction(published, tuple(calls))


def _is_compiled(device: Device) -> bool:
    """Returns whether there is a compiler for a device that only GCC compiles for."""
    return kept.which(device.target.instructions.gcc) is not None


def _calls(study: Study, *, is_library: bool) -> Iterator[Call]:
    """The calls of an application on a device."""
    chosen = [each for each in IMPLEMENTATIONS if each.is_library == is_library]
    every = [named(study, each.partition) for each in chosen]
    is_recorded = study.device.name == RECORDED and not is_library
    programs = [recorded(study, each) for each in every] if is_recorded else built(study, every)
    ciphers: dict[str | None, int | None] = {None: None}
    for implementation, program in zip(chosen, programs, strict=True):
        call = _measured(study, implementation, program, ciphers[implementation.direct])
        ciphers[call.way] = call.cipher
        yield call


def built(study: Study, every: Sequence[Partition]) -> list[Program]:
    """The programs of partitions, as the compiler makes them."""
    images = Builder(study).build([(study.workload(), each) for each in every])
    return [Program(each.name, each.image, each.coprocessors) for each in images]


def recorded(study: Study, partition: Partition) -> Program:
    """The recorded program of a partition."""
    image = lzma.decompress(image_of(partition).read_bytes())
    name = f"{study.name} ({partition.name}), recorded"
    return Program(name, image, tuple(study.coprocessors(partition.choice)))


def image_of(partition: Partition) -> Path:
    """The recorded image of a partition, which is compressed."""
    folder = paths.root() / "studies" / "java-aes" / "superh"
    return folder / f"{'-'.join(partition.key)}.elf.xz"


def _measured(
    study: Study, implementation: Implementation, program: Program, cipher: int | None
) -> Call:
    """The second call of a program; `cipher` are cycles that are known from another one."""
    machine = Machine(
        study.device,
        program.image,
        name=program.name,
        coprocessors=program.coprocessors,
        contexts=True,
    )
    before = 0
    if implementation.function is not None:
        for _ in range(2):
            machine.native.run_to(machine.address(implementation.function), LIMIT)
        before = _spent(machine, implementation.function)
    run = machine.run()
    require_clean(run)
    workload = study.workload()
    if implementation.function is not None:
        cipher = _spent(machine, implementation.function) - before
    return Call(
        device=study.device.name,
        way=implementation.name,
        total=_long(run.output(CYCLES)[8:], run.order),
        cipher=cipher,
        verified=run.output(workload.output, workload.size) == workload.expect,
    )


def _long(words: bytes, order: Order) -> int:
    """An element of Java's type `long`, which is two words; the lower is the first."""
    low, high = (int.from_bytes(words[at : at + 4], order) for at in (0, 4))
    return high << 32 | low


def _spent(machine: Machine, function: str) -> int:
    """Cycles in and below a function so far."""
    functions = machine.profile().values["functions"]
    return sum(int(each["total_cycles"]) for each in functions if each["name"] == function)
