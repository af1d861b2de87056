"""AES-128 of the paper's figures 6 and 13 on its processor, an SH3-DSP: in C and in hardware.

It takes the compiler that `cocrypt toolchain sh-elf` builds.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from cocrypt.builder import Builder
from cocrypt.machine import Machine
from cocrypt.partition import partitions
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build, Task
from cocrypt.study import Study
from conftest import ROOT
from test_gnu_cores import ENGINES, compiler_of

if TYPE_CHECKING:
    from cocrypt.machine import Engine

PAPER = tomllib.loads((ROOT / "studies/published/matsuoka2004.toml").read_text("utf-8"))
NEAR = 0.02
"""The greatest deviation of C from the paper's cycles."""


@pytest.mark.parametrize("engine", ENGINES)
def test_c_and_hardware_encrypt_the_block_of_fips_197(engine: Engine) -> None:
    compiler_of("sh7729")
    study = Study.load(ROOT / "studies/matsuoka2004/aes.toml")
    every = [(study.workload(), chosen) for chosen in partitions(study)]
    cycles = []
    for built in Builder(study).build(every):
        machine = Machine(
            study.device_of(built.partition.choice),
            built.image,
            coprocessors=built.coprocessors,
            engine=engine,
        )
        result = machine.run()
        assert result.values["stop"]["exit_code"] == 0
        assert result.output("output", 16) == study.workload().expect
        marks = {value: cycle for cycle, value in machine.marks()}
        first, second = marks[2] - marks[1], marks[4] - marks[3]
        # The second time code and tables are in the caches.
        assert second < first
        cycles.append(second)
    software, hardware = cycles
    assert software > 20 * hardware


def test_c_takes_the_papers_cycles() -> None:
    compiler_of("sh7729")
    (subject,) = library.named(["aes128/ref"])
    device = Study.load(ROOT / "studies/matsuoka2004/aes.toml").device
    rows = Task(subject, device, Build(("-O2",))).measure()
    ours = sum(row.cycles for row in rows if row.operation in {"expand", "encrypt"})
    assert ours == pytest.approx(PAPER["aes_cycles"]["c"]["cipher"], rel=NEAR)
