"""The paper's program on its own processor, a MicroBlaze, on block RAM and on external memory.

Only GCC compiles for it, which few hosts have; so studies/duarte2010/microblaze/ has the images of
the study as the compiler of `cocrypt toolchain microblaze-elf` made them, with a record of how.
"""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.device import Device, Tools
from cocrypt.reproduce.duarte2010.timed import Pair, Program, run_programs

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.partition import Partition
    from cocrypt.study import Study, Workload

DEVICE = "duarte2010-microblaze"
"""The paper's processor with code and data in block RAM."""
EXTERNAL = "duarte2010-microblaze-ddr"
"""The same with code and data in external memory."""
UNOPTIMISED = ("-O0",)
"""Flags of the images of the least size that show what an optimising compiler changes."""
WORD = 4


@dataclass(frozen=True)
class Native:
    """The measurements on the paper's processor.

    `sizes` are the rows of tables I and II, `external` is the least size in external memory, and
    `unoptimised` the least size in block RAM without an optimising compiler.
    """

    study: Study
    sizes: tuple[Pair, ...]
    external: Pair
    unoptimised: Pair

    @property
    def every(self) -> tuple[Pair, ...]:
        """All runs."""
        return (*self.sizes, self.external, self.unoptimised)


def studied(study: Study) -> Study:
    """The study on the paper's processor, which has the bytes of the output's words reversed."""
    workloads = tuple(
        replace(workload, expect=_swapped(workload.expect)) for workload in study.workloads
    )
    return replace(study, workloads=workloads, tools=Tools()).on(Device.load(DEVICE))


def _swapped(output: bytes | None) -> bytes | None:
    if output is None:
        return None
    words = (output[at : at + WORD] for at in range(0, len(output), WORD))
    return b"".join(word[::-1] for word in words)


def image_of(workload: Workload, partition: Partition, flags: tuple[str, ...] = ()) -> Path:
    """The recorded image of a workload, which is compressed; `flags` other than the study's."""
    kind = "with" if partition.hw else "without"
    return folder() / f"{workload.name}-{kind}{''.join(flags)}.elf.xz"


def folder() -> Path:
    """The folder of the recorded images."""
    return paths.root() / "studies" / "duarte2010" / "microblaze"


def record_of() -> dict[str, Any]:
    """The compiler and flags of the images, and the hashes of their sources."""
    values: dict[str, Any] = json.loads((folder() / "record.json").read_text("utf-8"))
    return values


def native(study: Study, software: Partition, hardware: Partition) -> Native:
    """Runs the recorded images; raises `ProgramError` if one does not end well."""
    block = studied(study)
    away = block.on(Device.load(EXTERNAL))
    workloads = sorted(block.workloads, key=lambda workload: len(workload.name))
    least = workloads[:1]
    sizes = _pairs(block, workloads, software, hardware)
    (external,) = _pairs(away, least, software, hardware)
    (unoptimised,) = _pairs(block, least, software, hardware, UNOPTIMISED)
    return Native(block, tuple(sizes), external, unoptimised)


def _pairs(
    study: Study,
    workloads: list[Workload],
    software: Partition,
    hardware: Partition,
    flags: tuple[str, ...] = (),
) -> list[Pair]:
    programs = [
        Program(workload, partition, _recorded(workload, partition, flags))
        for partition in (software, hardware)
        for workload in workloads
    ]
    runs = run_programs(study, programs)
    return list(map(Pair, runs[: len(workloads)], runs[len(workloads) :]))


def _recorded(workload: Workload, partition: Partition, flags: tuple[str, ...]) -> bytes:
    return lzma.decompress(image_of(workload, partition, flags).read_bytes())
