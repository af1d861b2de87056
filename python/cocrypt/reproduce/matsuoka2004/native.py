"""AES in C and in a coprocessor on the SH3-DSP: what figures 6 and 13 have beside Java.

Only GCC compiles for it, which few hosts have; so studies/matsuoka2004/aes/ has the images of the
study as the compiler of `cocrypt toolchain sh-elf` made them.
"""

from __future__ import annotations

import lzma
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.errors import ProgramError
from cocrypt.machine import Machine, run_many
from cocrypt.measurement import require_clean
from cocrypt.partition import partitions
from cocrypt.reproduce.paper import Shown, unheard
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cocrypt.measurement import Run
    from cocrypt.partition import Partition
    from cocrypt.reproduce.paper import Step

MARKS = (1, 2, 3, 4)
"""The marks around the first encryption, then around the second."""


@dataclass(frozen=True)
class Encryption:
    """Cycles of a key schedule and a block, the first time and with everything in the caches.

    `waited` are the cycles on the bus to the coprocessor, of both.
    """

    first: int
    second: int
    waited: int
    verified: bool


@dataclass(frozen=True)
class Reproduction:
    """AES-128 in C, and by the coprocessor."""

    published: Mapping[str, Any]
    study: Study
    software: Encryption
    hardware: Encryption

    @property
    def tables(self) -> tuple[Shown, ...]:
        """The part of figures 6 and 13 that is not Java."""
        paper = self.published["aes_cycles"]
        names = ("in C", "by the coprocessor")
        figures = ((paper["c"], self.software), (paper["coprocessor"], self.hardware))
        rows = tuple(
            (name, f"{stated['cipher']:,}", f"{ours.second:,}", f"{ours.first:,}")
            for name, (stated, ours) in zip(names, figures, strict=True)
        )
        heads = ("AES-128, a key and a block", "cycles, paper", "cycles, ours", "the first time")
        title = "Figures 6 and 13 on the SH3-DSP, without Java"
        return (Shown(title, heads, rows, self._sentence()),)

    def _sentence(self) -> str:
        paper = self.published["aes_cycles"]
        theirs = paper["c"]["cipher"] / paper["coprocessor"]["cipher"]
        ours = self.software.second / self.hardware.second
        wait = self.study.device.bus.wait
        return (
            f"C takes {self.software.second / paper['c']['cipher']:.2f} times the paper's cycles, "
            f"by another compiler and a source of our own, since the paper prints none. The "
            f"coprocessor makes it {ours:.1f} times as fast instead of {theirs:.1f}: both include "
            f"the interface in memory, of which our driver takes a word after the other, and "
            f"converts bytes to words; {self.hardware.waited // 2} cycles of an encryption are on "
            f"the bus, which waits {wait} for an access where the paper names no number."
        )

    @property
    def wrong(self) -> tuple[str, ...]:
        """Encryptions whose result is not that of FIPS 197."""
        named = {"AES-128 in C": self.software, "AES-128 by the coprocessor": self.hardware}
        return tuple(name for name, each in named.items() if not each.verified)

    def record(self) -> dict[str, Any]:
        """The part of the output of `--json`."""
        return {
            "device": self.study.device.name,
            "paper": {kind: self.published["aes_cycles"][kind] for kind in ("c", "coprocessor")},
            "c": asdict(self.software),
            "coprocessor": asdict(self.hardware),
        }


def study() -> Study:
    """The study that the images are built from."""
    return Study.load(_folder() / "aes.toml")


def image_of(partition: Partition) -> Path:
    """The recorded image of a partition, which is compressed."""
    kind = "coprocessor" if partition.hw else "software"
    return _folder() / "aes" / f"{kind}.elf.xz"


def _folder() -> Path:
    return paths.root() / "studies" / "matsuoka2004"


def reproduce(published: Mapping[str, Any], step: Step = unheard) -> Reproduction:
    """Runs the recorded images; raises `ProgramError` if one does not end well."""
    step("encrypting on the SH3-DSP", 0, 1)
    aes = study()
    every = partitions(aes)
    machines = [
        Machine(
            aes.device_of(chosen.choice),
            lzma.decompress(image_of(chosen).read_bytes()),
            name=f"{aes.name} ({chosen.name}), recorded",
            coprocessors=aes.coprocessors(chosen.choice),
        )
        for chosen in every
    ]
    runs = run_many(machines)
    software, hardware = map(_measured, [aes] * len(every), machines, runs)
    return Reproduction(published, aes, software, hardware)


def _measured(aes: Study, machine: Machine, run: Run) -> Encryption:
    require_clean(run)
    marks = {value: cycle for cycle, value in machine.marks()}
    if tuple(marks) != MARKS:
        raise ProgramError(f"{aes.name} sets the marks {list(marks)} instead of {list(MARKS)}")
    workload = aes.workload()
    return Encryption(
        first=marks[2] - marks[1],
        second=marks[4] - marks[3],
        waited=sum(transfer["waited"] for transfer in run.values["transfers"].values()),
        verified=run.output(workload.output, workload.size) == workload.expect,
    )
